import { id, instant, longText, primaryKey } from './columns.ts';
import { defineTable } from './table.ts';

/** The capabilities that a client is limited to. A client without a row has all capabilities of its tenant. */
export const CLIENT_LIMITS = defineTable('client_limits', {
  tenant_id: primaryKey(id()),
  client_id: primaryKey(id()),
  /** JSON array of capability ids. */
  capabilities: longText(),
  created_at: instant(),
  updated_at: instant(),
});
