import type { TraceSubject } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { API_KEYS } from '../../db/tables/api-keys.ts';
import { CLIENT_GROUPS } from '../../db/tables/client-groups.ts';
import { CLIENTS } from '../../db/tables/clients.ts';
import { INVOICES } from '../../db/tables/invoices.ts';
import { LOCATIONS } from '../../db/tables/locations.ts';
import { PAYMENTS } from '../../db/tables/payments.ts';
import { ROLES } from '../../db/tables/roles.ts';
import type { Table } from '../../db/tables/table.ts';
import { USERS } from '../../db/tables/users.ts';
import { WEBHOOK_ENDPOINTS } from '../../db/tables/webhook-endpoints.ts';
import { hasRow } from './rows.ts';

/** Tables of the objects of which nothing else may be recorded: seeded ones, or ones that are older than their records. */
const TABLES: Readonly<Partial<Record<TraceSubject['type'], Table>>> = {
  client: CLIENTS,
  group: CLIENT_GROUPS,
  location: LOCATIONS,
  user: USERS,
  role: ROLES,
  invoice: INVOICES,
  payment: PAYMENTS,
  webhook_endpoint: WEBHOOK_ENDPOINTS,
  api_key: API_KEYS,
};

/** Returns true if the tenant has the object. */
export async function exists(ctx: ReadContext, { type, id }: TraceSubject): Promise<boolean> {
  if (type === 'tenant') return id === ctx.tenantId;
  const table = TABLES[type];
  return table !== undefined && (await hasRow(ctx, table, id));
}
