import { type Deprecation, HEADERS } from '@plat/contract';
import type { RequestHandler } from 'express';

/** Tells of every answer that its operation will go: of refusals too, so it stands before the gate. */
export function announceDeprecation(deprecation: Deprecation): RequestHandler {
  const headers = Object.entries(deprecationHeaders(deprecation));
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

/** A structured date (RFC 9745), an HTTP date (RFC 8594) and a link, where there are such. */
function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    [HEADERS.deprecation]: `@${Date.parse(since) / 1000}`,
    ...(sunset === undefined ? {} : { [HEADERS.sunset]: new Date(sunset).toUTCString() }),
    ...(link === undefined ? {} : { [HEADERS.link]: `<${link}>; rel="deprecation"` }),
  };
}
