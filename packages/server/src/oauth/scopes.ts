import { isScope, type Scope, scopeProblem } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';

/**
 * Parses a `scope` parameter. Duplicates are removed; each scope must be one of `allowed`.
 * @throws {@link ApiError} INVALID_SCOPE
 */
export function readScope(text: string, allowed: readonly Scope[], whose: string): readonly Scope[] {
  const names = [...new Set(text.split(' ').filter((name) => name !== ''))];
  if (names.length === 0) throw new ApiError('INVALID_SCOPE', 'scope must name at least one scope');
  return names.map((name) => {
    if (isScope(name) && allowed.includes(name)) return name;
    throw new ApiError('INVALID_SCOPE', scopeProblem(name, allowed, whose));
  });
}
