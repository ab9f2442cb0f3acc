import { isScope, type Scope } from '@plat/contract';

/** Reads the scopes that a row stores as a JSON array. Scopes that no longer exist are omitted. */
export function parseScopes(text: string): readonly Scope[] {
  const scopes: unknown = JSON.parse(text);
  return Array.isArray(scopes) ? scopes.filter(isScope) : [];
}
