import { ID_PATTERN, ID_PREFIXES } from '@plat/contract';
import type { JsonSchema } from '@plat/contract/schemas';
import type { Header, Ref } from './openapi-document.ts';

const count: JsonSchema = { type: 'integer', minimum: 0 };

/** All response headers. */
export const HEADERS = {
  'X-Request-Id': header('Names the request in the log of the server; quote it when you report a problem.', {
    type: 'string',
    pattern: `^${ID_PREFIXES.request}_${ID_PATTERN}$`,
  }),
  'X-RateLimit-Limit': header('Requests that the credential has in a window.', count),
  'X-RateLimit-Remaining': header('Number of requests left in this window.', count),
  'X-RateLimit-Reset': header('When the next window begins, in Unix seconds.', count),
  'Retry-After': header('Seconds to wait before the next request.', count),
  'WWW-Authenticate': header('The fault of the credential (RFC 6750).', { type: 'string' }),
  'Idempotent-Replayed': header('Present if this is the stored response of an earlier request with the same key.', {
    type: 'string',
    const: 'true',
  }),
  Deprecation: header('The day since which the operation is deprecated: `@` and Unix seconds (RFC 9745).', {
    type: 'string',
    pattern: '^@\\d+$',
  }),
  Sunset: header('The day from which the operation may be gone (RFC 8594).', { type: 'string' }),
  Link: header('A page that says what to use instead, with `rel="deprecation"`.', { type: 'string' }),
} as const satisfies Record<string, Header>;

/** Returns references to headers, for a response. */
export function headers(...names: readonly (keyof typeof HEADERS)[]): Readonly<Record<string, Ref>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string, schema: JsonSchema): Header {
  return { description, schema };
}
