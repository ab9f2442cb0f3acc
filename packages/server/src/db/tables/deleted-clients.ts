import { CLIENT_COLUMNS } from './clients.ts';
import { instant } from './columns.ts';
import { defineTable } from './table.ts';

/** A client as it was at its deletion. */
export const DELETED_CLIENTS = defineTable('deleted_clients', { ...CLIENT_COLUMNS, deleted_at: instant() });
