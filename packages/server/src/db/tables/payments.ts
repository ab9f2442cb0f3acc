import type { PaymentStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A payment of an invoice. Amounts in minor units. */
export interface PaymentRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly invoice_id: string;
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly amount: number;
  readonly method: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function definePayment(sequelize: Sequelize): TableModel<PaymentRow> {
  return defineTable<PaymentRow>(sequelize, 'payments', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    invoice_id: DataTypes.STRING,
    status: DataTypes.STRING,
    currency: DataTypes.STRING,
    amount: DataTypes.BIGINT,
    method: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
