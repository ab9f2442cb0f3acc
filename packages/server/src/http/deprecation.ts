import { type Deprecation, HEADERS } from '@plat/contract';
import type { RequestHandler } from 'express';

/**
 * Adds the deprecation headers to each response of an operation. It is mounted before the gate, so that refusals have
 * them too.
 */
export function announceDeprecation(deprecation: Deprecation): RequestHandler {
  const headers = Object.entries(deprecationHeaders(deprecation));
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

/** Returns a structured date (RFC 9745), an HTTP date (RFC 8594) and a link, each if the deprecation has one. */
function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    [HEADERS.deprecation]: `@${Date.parse(since) / 1000}`,
    ...(sunset === undefined ? {} : { [HEADERS.sunset]: new Date(sunset).toUTCString() }),
    ...(link === undefined ? {} : { [HEADERS.link]: `<${link}>; rel="deprecation"` }),
  };
}
