import type { AuditChange } from '@plat/contract';

/**
 * The altered fields of an object for the audit trail, with their values before and after as the API shows them. Omits
 * `updated_at`, which every change alters.
 */
export function changedFields<T extends object>(before: T, after: T): Record<string, AuditChange> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .map(([field, value]): [string, AuditChange] => [field, { before: old.get(field), after: value }])
      .filter(([field, change]) => field !== 'updated_at' && !isSame(change)),
  );
}

function isSame({ before, after }: AuditChange): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

/** {@link laterThan} as an assignment of an UPDATE, with `:at` for the time of the change. */
export const MOVE_UPDATED_AT = 'updated_at = CASE WHEN updated_at < :at THEN :at ELSE updated_at + 1 END';
