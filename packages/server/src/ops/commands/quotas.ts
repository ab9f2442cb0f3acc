import type { QuotaName } from '@plat/contract';
import { QUOTA_NAMES } from '../../config/quotas.ts';
import { countUsed, readTenantQuotas } from '../../db/quotas.ts';
import { CommandError } from '../command-error.ts';
import { changeTenant } from './change-tenant.ts';
import type { Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** Upper bound of a count, so that the command ends soon for a large tenant. */
const COUNT_BOUND = 1_000_000;

/** A quota of a tenant, and its use. A type alias, so that it is assignable to a printed row. */
type QuotaUse = {
  readonly quota: QuotaName;
  readonly used: number;
  readonly limit: number;
  readonly default: number;
};

/** Returns the quotas of a tenant and their use. */
export async function showQuotas({ db, config }: Operator, tenantId: string): Promise<readonly QuotaUse[]> {
  const tenant = await tenantOf(db, tenantId);
  const defaults = tenant.sandbox === 1 ? config.quotas.sandbox : config.quotas.production;
  const own = await readTenantQuotas(db, null, tenantId);
  return Promise.all(
    QUOTA_NAMES.map(async (quota) => ({
      quota,
      used: await countUsed(db, null, tenantId, quota, COUNT_BOUND),
      limit: own[quota] ?? defaults[quota],
      default: defaults[quota],
    })),
  );
}

/** Sets quotas of a tenant; null restores the default. Running servers apply them soon. */
export async function setQuotas(
  operator: Operator,
  tenantId: string,
  given: Readonly<Partial<Record<QuotaName, number | null>>>,
): Promise<readonly QuotaUse[]> {
  await changeTenant(operator, tenantId, async ({ db, transaction, now, audit }) => {
    const before = await readTenantQuotas(db, transaction, tenantId);
    const merged = { ...before, ...given };
    const after = Object.fromEntries(Object.entries(merged).filter(([, limit]) => limit !== null));
    const quotas = Object.keys(after).length === 0 ? null : JSON.stringify(after);
    await db.models.tenant.update({ quotas }, { where: { id: tenantId }, transaction });
    await audit({
      action: 'tenant.quotas_changed',
      target: { type: 'tenant', id: tenantId },
      changes: { quotas: { before, after } },
      at: now,
    });
  });
  return showQuotas(operator, tenantId);
}

/** Reads `clients=500,users=default`. @throws {@link CommandError} */
export function readQuotaOption(given: string): Readonly<Partial<Record<QuotaName, number | null>>> {
  const pairs = given.split(',').map((pair) => {
    const [, name = '', value = ''] = /^\s*(\w+)\s*=\s*(\d{1,9}|default)\s*$/.exec(pair) ?? [];
    const quota = QUOTA_NAMES.find((one) => one === name);
    if (!quota) {
      throw new CommandError(
        `--set requires name=number or name=default, separated by commas, with ${QUOTA_NAMES.join(', ')}`,
      );
    }
    return [quota, value === 'default' ? null : Number(value)] as const;
  });
  return Object.fromEntries(pairs);
}
