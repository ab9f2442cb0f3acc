import { DEVELOPER_OPERATIONS, OAUTH_PATHS, OPERATIONS } from '@plat/contract';
import type { RequestFault } from './faults.ts';

interface Known {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** The OAuth endpoints, with their names in faults. */
const OAUTH: readonly Known[] = [
  { name: 'oauth.authorize', method: 'GET', path: OAUTH_PATHS.authorize },
  { name: 'oauth.token', method: 'POST', path: OAUTH_PATHS.token },
  { name: 'oauth.introspect', method: 'POST', path: OAUTH_PATHS.introspect },
  { name: 'oauth.revoke', method: 'POST', path: OAUTH_PATHS.revoke },
  { name: 'oauth.jwks', method: 'GET', path: OAUTH_PATHS.jwks },
];

const ALL: readonly Known[] = [
  ...Object.entries(OPERATIONS).map(([name, { method, path }]) => ({ name, method, path })),
  ...Object.entries(DEVELOPER_OPERATIONS).map(([name, { method, path }]) => ({
    name: `developer.${name}`,
    method,
    path,
  })),
  ...OAUTH,
];

/** Paths whose refusals have the form of RFC 6749. */
export const OAUTH_FORM_PATHS: readonly string[] = [OAUTH_PATHS.token, OAUTH_PATHS.introspect, OAUTH_PATHS.revoke];

/** Returns true if a pattern matches an operation. */
export function isOperationPattern(pattern: string): boolean {
  return ALL.some(({ name }) => matcher(pattern, '.*').test(name));
}

/** Returns true if a fault applies to requests of this method to this path. */
export function isTarget({ operation, path, method }: RequestFault, request: Pick<Known, 'method' | 'path'>): boolean {
  if (operation !== undefined) {
    const name = operationOf(request)?.name;
    return name !== undefined && matcher(operation, '.*').test(name);
  }
  return (method ?? request.method) === request.method && matcher(path, '.*').test(request.path);
}

function operationOf({ method, path }: Pick<Known, 'method' | 'path'>): Known | undefined {
  return ALL.find(
    (known) => known.method === method && matcher(known.path.replace(/\{\w+\}/g, '*'), '[^/]+').test(path),
  );
}

/** Returns an expression that matches a whole text, in which `*` stands for the given expression. */
function matcher(pattern: string, anything: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w/-]/g, '\\$&'));
  return new RegExp(`^${parts.join(anything)}$`);
}
