import type { ErrorCode, QuotaName } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { QuotaLimits } from '../config/quotas.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { Database } from './database.ts';
import { lockTenant } from './row-lock.ts';
import { selectOne } from './sql.ts';

export interface QuotaHolder {
  readonly db: Database;
  readonly transaction: Transaction;
  readonly tenantId: string;
  readonly sandbox: boolean;
}

export interface Quotas {
  /**
   * Checks that the tenant may have one more object.
   * @throws {@link ApiError} QUOTA_EXCEEDED, WEBHOOK_ENDPOINT_LIMIT, APP_LIMIT
   */
  reserve(holder: QuotaHolder, name: QuotaName): Promise<void>;
}

/** Where the objects of a quota are counted, the code of the refusal, and whether a reset of the sandbox keeps them. */
const COUNTED: Readonly<
  Record<QuotaName, { readonly from: string; readonly code?: ErrorCode; readonly outlivesReset?: true }>
> = {
  clients: { from: 'clients WHERE tenant_id = :tenantId' },
  groups: { from: 'client_groups WHERE tenant_id = :tenantId' },
  group_members: { from: 'group_members WHERE tenant_id = :tenantId' },
  group_owners: { from: 'group_owners WHERE tenant_id = :tenantId' },
  users: { from: 'users WHERE tenant_id = :tenantId' },
  locations: { from: 'locations WHERE tenant_id = :tenantId' },
  roles: { from: 'roles WHERE tenant_id = :tenantId AND built_in = 0' },
  webhook_endpoints: { from: 'webhook_endpoints WHERE tenant_id = :tenantId', code: 'WEBHOOK_ENDPOINT_LIMIT' },
  apps: {
    from: 'oauth_apps WHERE developer_id IN (SELECT id FROM developers WHERE tenant_id = :tenantId)',
    code: 'APP_LIMIT',
    outlivesReset: true,
  },
};

/** Quotas that are counted for each create, under a lock of the tenant. So they are exact across processes. */
const EXACT: ReadonlySet<QuotaName> = new Set(['webhook_endpoints', 'apps']);
/** After a count, this process permits a sixteenth of the rest of the quota before it counts again. */
const ALLOWANCE_DIVISOR = 16;
/** Tenant and quota pairs whose allowance is remembered. */
const REMEMBERED = 50_000;

/**
 * Checks quotas without a count for each create: after a count, this process permits a small part of the rest. Near the
 * limit that part is zero, and each create counts. A count locks the tenant, so that creates near the limit come one after
 * the other. The limit may be exceeded by the permitted creates that have not ended yet, of each process.
 */
export function createQuotas(tiers: { readonly production: QuotaLimits; readonly sandbox: QuotaLimits }): Quotas {
  const allowances = new Map<string, number>();
  return {
    async reserve(holder, name) {
      const key = `${holder.tenantId} ${name}`;
      const allowance = allowances.get(key) ?? 0;
      if (allowance > 0) {
        allowances.set(key, allowance - 1);
        return;
      }
      const tier = holder.sandbox ? tiers.sandbox : tiers.production;
      const { db, transaction, tenantId } = holder;
      // Comes after the slot of a sandbox, as in a reset.
      await lockTenant(db, tenantId, transaction);
      const limit = (await readTenantQuotas(db, transaction, tenantId))[name] ?? tier[name];
      const used = await countUsed(db, transaction, tenantId, name, limit);
      if (used >= limit) throw exceeded(name, limit, holder.sandbox);
      if (EXACT.has(name)) return;
      if (allowances.size >= REMEMBERED) allowances.clear();
      allowances.set(key, Math.floor((limit - used - 1) / ALLOWANCE_DIVISOR));
    },
  };
}

/** The quotas that the operator gave one tenant. */
export async function readTenantQuotas(
  db: Database,
  transaction: Transaction | null,
  tenantId: string,
): Promise<Partial<QuotaLimits>> {
  const sql = 'SELECT quotas FROM tenants WHERE id = :tenantId';
  const row = await selectOne<{ quotas: string | null }>(db, sql, { tenantId }, transaction);
  return row?.quotas ? (JSON.parse(row.quotas) as Partial<QuotaLimits>) : {};
}

/** Counts up to a bound, so that a count never reads more rows than the limit. */
export async function countUsed(
  db: Database,
  transaction: Transaction | null,
  tenantId: string,
  name: QuotaName,
  bound: number,
): Promise<number> {
  const row = await selectOne<{ used: number }>(
    db,
    `SELECT COUNT(*) AS used FROM (SELECT 1 AS counted FROM ${COUNTED[name].from} LIMIT ${bound}) counted_rows`,
    { tenantId },
    transaction,
  );
  return row?.used ?? 0;
}

function exceeded(name: QuotaName, limit: number, sandbox: boolean): ApiError {
  const what = name.replaceAll('_', ' ');
  const advice =
    sandbox && !COUNTED[name].outlivesReset
      ? 'Delete some, reset the sandbox, or ask the platform for a higher quota'
      : 'Delete some, or ask the platform for a higher quota';
  return new ApiError(
    COUNTED[name].code ?? 'QUOTA_EXCEEDED',
    `The tenant has reached its quota of ${limit} ${what} (${name}). ${advice}`,
  );
}
