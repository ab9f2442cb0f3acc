import type { AnyEventType } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { executeText } from '../../db/sql.ts';
import { insertColumns } from '../../db/statements.ts';
import { WEBHOOK_DELIVERIES } from '../../db/tables/webhook-deliveries.ts';
import { wakeAfterCommit } from '../../db/wake-ups.ts';

const COLUMNS = [
  ...(['tenant_id', 'id', 'event_id', 'event_type', 'endpoint_id', 'attempt'] as const),
  ...(['status', 'queue_shard', 'scheduled_at', 'created_at', 'updated_at'] as const),
] as const;

/** SQL: the INSERT of pending deliveries, whose values follow in this order. */
export const INSERT_PENDING = insertColumns(WEBHOOK_DELIVERIES, COLUMNS);

const INSERT_REPLAYED = insertColumns(WEBHOOK_DELIVERIES, [...COLUMNS, 'replayed_by']);

/** The first attempt of a replay of an event at an endpoint. */
export interface NewDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: AnyEventType;
  readonly endpointId: string;
  readonly shard: number;
}

interface When {
  readonly tenantId: string;
  /** SQL expression of the due time, from `:at` and the database's clock. */
  readonly due: string;
  readonly at: number;
  /** The request or the job that replays. */
  readonly replayedBy: string | null;
}

/** Inserts first attempts of replays of a tenant, all due at the same time. */
export async function insertDeliveries(
  db: Database,
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
  { tenantId, due, at, replayedBy }: When,
): Promise<void> {
  if (deliveries.length === 0) return;
  const values: Record<string, string | number | null> = { tenantId, at, replayedBy };
  const rows = deliveries.map(({ id, eventId, type, endpointId, shard }, index) => {
    Object.assign(values, {
      [`i${index}`]: id,
      [`e${index}`]: eventId,
      [`t${index}`]: type,
      [`w${index}`]: endpointId,
    });
    return `(:tenantId, :i${index}, :e${index}, :t${index}, :w${index}, 1, 'pending', ${shard}, ${due}, :at, :at, :replayedBy)`;
  });
  await executeText(db, `${INSERT_REPLAYED} VALUES ${rows.join(', ')}`, values, transaction);
  wakeAfterCommit(db, transaction, 'deliveries');
}
