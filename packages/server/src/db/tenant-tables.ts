import { API_KEYS } from './tables/api-keys.ts';
import { DEVELOPER_TOKENS } from './tables/developer-tokens.ts';
import { DEVICE_LOGINS } from './tables/device-logins.ts';
import { EVENTS } from './tables/events.ts';
import { IDEMPOTENCY_KEYS } from './tables/idempotency-keys.ts';
import { TABLES } from './tables/index.ts';
import { OAUTH_ACCESS_TOKENS } from './tables/oauth-access-tokens.ts';
import { OAUTH_GRANTS } from './tables/oauth-grants.ts';
import { OAUTH_REFRESH_TOKENS } from './tables/oauth-refresh-tokens.ts';
import { PREVIOUS_API_KEYS } from './tables/previous-api-keys.ts';
import { SESSIONS } from './tables/sessions.ts';
import { SUPPORT_KEYS } from './tables/support-keys.ts';
import type { Table } from './tables/table.ts';
import { TENANTS } from './tables/tenants.ts';
import { USERS } from './tables/users.ts';
import { WEBHOOK_DELIVERIES } from './tables/webhook-deliveries.ts';

/** The rows of a table that belong to a tenant. */
export interface TenantRows {
  readonly table: Table;
  /** SQL condition with the replacement `:tenantId`. */
  readonly sql: string;
}

const idsIn = ({ name }: Table): string => `SELECT id FROM ${name} WHERE tenant_id = :tenantId`;
const DEVELOPER_IDS = idsIn(TABLES.developer);
/** Credentials, and the persons who call the API in the Explorer. */
const CALLER_IDS = [API_KEYS, PREVIOUS_API_KEYS, SUPPORT_KEYS, OAUTH_GRANTS, USERS, TABLES.developer].map(idsIn);

/** Rows that belong to a tenant by another column than `tenant_id`. */
const BY_PARENT: readonly TenantRows[] = [
  {
    table: IDEMPOTENCY_KEYS,
    sql: [...CALLER_IDS, `SELECT id FROM developer_tokens WHERE developer_id IN (${DEVELOPER_IDS})`]
      .map((ids) => `credential_id IN (${ids})`)
      .join(' OR '),
  },
  { table: OAUTH_ACCESS_TOKENS, sql: `grant_id IN (${idsIn(OAUTH_GRANTS)})` },
  { table: OAUTH_REFRESH_TOKENS, sql: `grant_id IN (${idsIn(OAUTH_GRANTS)})` },
  { table: SESSIONS, sql: `tenant_id IS NULL AND account_id IN (${DEVELOPER_IDS})` },
  { table: DEVICE_LOGINS, sql: `developer_id IN (${DEVELOPER_IDS})` },
  { table: DEVELOPER_TOKENS, sql: `developer_id IN (${DEVELOPER_IDS})` },
];

/** All rows of a tenant, in an order in which they can be deleted: the row that the others are found by comes later. */
export const TENANT_ROWS: readonly TenantRows[] = [
  ...BY_PARENT,
  ...Object.values<Table>(TABLES)
    .filter(({ columns }) => 'tenant_id' in columns)
    .map((table) => ({ table, sql: 'tenant_id = :tenantId' })),
  { table: TENANTS, sql: 'id = :tenantId' },
];

const APPS = 'SELECT app_id FROM oauth_grants WHERE tenant_id = :tenantId';
const ABOUT_GRANTS = `tenant_id IN (${APPS}) AND object_id IN (${idsIn(OAUTH_GRANTS)})`;

/** Rows of apps about a tenant, in the order in which they are deleted with it. An export does not have them. */
export const APP_ROWS_ABOUT_TENANT: readonly TenantRows[] = [
  {
    table: WEBHOOK_DELIVERIES,
    sql: `tenant_id IN (${APPS}) AND event_id IN (SELECT id FROM events WHERE ${ABOUT_GRANTS})`,
  },
  { table: EVENTS, sql: ABOUT_GRANTS },
];

/** Tables without rows of a tenant, each with its reason. */
export const TABLES_WITHOUT_TENANT: Readonly<Record<string, string>> = {
  modules: 'the catalog of all tenants',
  plans: 'the catalog of all tenants',
  shard_leases: 'work of processes',
  dispatchers: 'work of processes',
  processes: 'work of processes',
  job_leases: 'work of processes',
  installation: 'facts of the database',
  mail_counts: 'hashes that expire within a day',
  oauth_apps: 'other tenants use them: a sandbox whose developer has apps is not deleted',
  sign_in_links: 'addresses that may belong to no account; they expire within minutes',
  signing_keys: 'keys of the platform',
};
