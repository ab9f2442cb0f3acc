import type { AuditChange } from '@plat/contract';
import { literal } from 'sequelize';

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

/** {@link laterThan} in SQL, for the rows of an UPDATE: the new value of `updated_at`. */
export function movedUpdatedAt(at: number): ReturnType<typeof literal> {
  return literal(`CASE WHEN updated_at < ${at} THEN ${at} ELSE updated_at + 1 END`);
}
