import { isScope, type Scope } from '@plat/contract';

/** The scopes that a row keeps as a JSON array; those that the service does not know any more are left out. */
export function parseScopes(text: string): readonly Scope[] {
  const scopes: unknown = JSON.parse(text);
  return Array.isArray(scopes) ? scopes.filter(isScope) : [];
}
