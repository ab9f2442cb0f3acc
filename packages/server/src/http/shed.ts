import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { HEADERS } from '@plat/contract';
import type { Logger } from 'pino';
import { type Admission, refusal } from '../auth/admission.ts';
import { type KnownShares, UNKNOWN } from '../auth/shares.ts';
import { newId } from '../kernel/ids.ts';
import { count } from '../kernel/meter.ts';
import { createRefusalLog } from './refusal-log.ts';

const REFUSED = refusal();
const BODY = JSON.stringify(REFUSED.toBody());
const BEARER = /^Bearer +([^ ]+)$/i;
/** The surfaces that bearer tokens open. */
const SURFACE = /^\/(?:v1|developer\/v1|operator\/v1)\//;

interface ShedServices {
  readonly admission: Admission;
  readonly shares: KnownShares;
  readonly log: Logger;
}

/**
 * Refuses requests of a share whose queue is full, before the application sees them. Under overload most requests are
 * refused, so the cost of a refusal decides how much is left for the others. The log has one line a second for all.
 */
export function shedOverload({ admission, shares, log }: ShedServices, app: RequestListener): RequestListener {
  const refusals = createRefusalLog(log);
  return (req, res) => {
    const share = shareOf(req, shares);
    if (share === null || !admission.refuses(share)) return app(req, res);
    const requestId = newId('request');
    refuse(res, requestId);
    count('plat_http_requests_total', { operation: '', method: '', status: REFUSED.status, code: REFUSED.code });
    refusals.add({ req_id: requestId, share });
  };
}

function shareOf({ url = '', headers }: IncomingMessage, shares: KnownShares): string | null {
  const token = SURFACE.test(url) ? BEARER.exec(headers.authorization ?? '')?.[1] : undefined;
  return token === undefined ? null : shares.of(token, UNKNOWN.tokens);
}

function refuse(res: ServerResponse, requestId: string): void {
  res.writeHead(REFUSED.status, {
    [HEADERS.requestId]: requestId,
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': BODY.length,
    ...REFUSED.headers,
  });
  res.end(BODY);
}
