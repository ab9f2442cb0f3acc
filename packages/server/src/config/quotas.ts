import { LIMITS, type QuotaName } from '@plat/contract';
import { readNumbers } from './lists.ts';

/** Quota → maximum number of objects of a tenant. */
export type QuotaLimits = Readonly<Record<QuotaName, number>>;

export const QUOTA_NAMES = Object.keys(LIMITS.quotas) as readonly QuotaName[];

export function readQuotas(
  setting: string,
  text: string,
  tier: 'production' | 'sandbox',
  problems: string[],
): QuotaLimits {
  const given = readNumbers(setting, text, QUOTA_NAMES, problems);
  const entries = QUOTA_NAMES.map((name) => [name, given[name] ?? LIMITS.quotas[name][tier]]);
  return Object.fromEntries(entries) as QuotaLimits;
}
