import type { RequestListener, ServerResponse } from 'node:http';
import { HEADERS } from '@plat/contract';
import { type Admission, type KnownTenants, refusal } from '../auth/admission.ts';
import { newId } from '../kernel/ids.ts';

const REFUSED = refusal();
const BODY = JSON.stringify(REFUSED.toBody());
const BEARER = /^Bearer +([^ ]+)$/i;

/**
 * Refuses requests under /v1 of a tenant whose queue is full, before the application sees them. Under overload most
 * requests are refused, so the cost of a refusal decides how much is left for the others. Such a request has no log
 * line; it is counted.
 */
export function shedOverload(admission: Admission, tenants: KnownTenants, app: RequestListener): RequestListener {
  return (req, res) => {
    const token = req.url?.startsWith('/v1/') ? BEARER.exec(req.headers.authorization ?? '')?.[1] : undefined;
    if (token !== undefined && admission.refuses(tenants.of(token))) refuse(res);
    else app(req, res);
  };
}

function refuse(res: ServerResponse): void {
  res.writeHead(REFUSED.status, {
    [HEADERS.requestId]: newId('request'),
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': BODY.length,
    ...REFUSED.headers,
  });
  res.end(BODY);
}
