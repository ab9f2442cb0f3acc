import type { InvoiceStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** What a tenant is asked to pay. Amounts in minor units. */
export interface InvoiceRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly number: string;
  readonly status: InvoiceStatus;
  readonly currency: string;
  readonly amount_due: number;
  readonly amount_paid: number;
  readonly period_start: number;
  readonly period_end: number;
  readonly due_at: number | null;
  /** JSON array; `lines` is a reserved word. */
  readonly invoice_lines: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineInvoice(sequelize: Sequelize): TableModel<InvoiceRow> {
  return defineTable<InvoiceRow>(sequelize, 'invoices', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    number: DataTypes.STRING,
    status: DataTypes.STRING,
    currency: DataTypes.STRING,
    amount_due: DataTypes.BIGINT,
    amount_paid: DataTypes.BIGINT,
    period_start: DataTypes.BIGINT,
    period_end: DataTypes.BIGINT,
    due_at: DataTypes.BIGINT,
    invoice_lines: DataTypes.TEXT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
