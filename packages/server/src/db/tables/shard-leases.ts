import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** Which dispatcher may work on a shard of the delivery queue, until when by the clock of the database. */
export interface ShardLeaseRow {
  readonly shard: number;
  readonly owner: string | null;
  /** Grows with every change of owner: the fence of late writers. */
  readonly token: number;
  readonly expires_at: number;
}

export function defineShardLease(sequelize: Sequelize): TableModel<ShardLeaseRow> {
  return defineTable<ShardLeaseRow>(sequelize, 'shard_leases', {
    shard: { type: DataTypes.INTEGER, primaryKey: true },
    owner: DataTypes.STRING,
    token: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
  });
}
