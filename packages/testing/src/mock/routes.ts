import { OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';

/** Result of the routing. */
export interface Found {
  /** Null for a path that the API does not have. */
  readonly operation: OperationName | null;
  /** Path parameters; null when they cannot be decoded. */
  readonly path: Readonly<Record<string, string>> | null;
}

/**
 * Finds an operation as the platform's router does: case-sensitive, strict about a trailing slash, and HEAD as the GET of
 * its path.
 */
export function findRoute(method: string, pathname: string): Found {
  for (const route of ROUTES) {
    const match = route.method === (method === 'HEAD' ? 'GET' : method) ? route.pattern.exec(pathname) : null;
    if (!match) continue;
    const path = decoded(match.groups ?? {});
    return { operation: path && route.operation, path };
  }
  return { operation: null, path: {} };
}

const ROUTES = (Object.entries(OPERATIONS) as [OperationName, OperationInfo][]).map(
  ([operation, { method, path }]) => ({
    operation,
    method,
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }),
);

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return null;
  }
}
