import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type Admission, refusal } from '../auth/admission.ts';
import { type KnownShares, UNKNOWN } from '../auth/shares.ts';
import { count } from '../kernel/meter.ts';
import type { OverLimit } from './over-limit.ts';
import { type PreparedRefusal, prepareRefusal, sendRefusal } from './prepared-refusal.ts';
import { createRefusalLog } from './refusal-log.ts';
import { BEARER_SURFACES, V1 } from './surfaces.ts';

const OVERLOADED = prepareRefusal(refusal());
const BEARER = /^Bearer +([^ ]+)$/i;

interface Services {
  readonly admission: Admission;
  readonly shares: KnownShares;
  /** Null in development: the tools of the sandbox see each request. */
  readonly overLimit: Pick<OverLimit, 'findRefusal'> | null;
  readonly log: Logger;
}

/**
 * Refuses requests before Express gets them: those of a credential that was just refused over its rate limit,
 * and those of a share whose queue is full. In a flood or an overload most requests are refused, so the cost of a
 * refusal decides how much is left for the others. The log has one line a second for each reason.
 */
export function refuseFirst({ admission, shares, overLimit, log }: Services, app: RequestListener): RequestListener {
  const limited = createRefusalLog((fields) => log.info(fields, 'requests refused over the rate limit'));
  const overloaded = createRefusalLog((fields) => log.warn(fields, 'requests refused because of overload'));
  return (req, res) => {
    const repeated = V1.test(req.url ?? '') ? overLimit?.findRefusal(req) : undefined;
    if (repeated) {
      count('plat_rate_limited_total', { counter: 'rate' });
      limited.add({ req_id: refuse(res, repeated.refusal), ...repeated.caller });
      return;
    }
    const share = shareOf(req, shares);
    if (share === null || !admission.refuses(share)) return app(req, res);
    overloaded.add({ req_id: refuse(res, OVERLOADED), share });
  };
}

function refuse(res: ServerResponse, refusal: PreparedRefusal): string {
  const { status, code } = refusal;
  count('plat_http_requests_total', { operation: '', method: '', status, code });
  return sendRefusal(res, refusal);
}

function shareOf({ url = '', headers }: IncomingMessage, shares: KnownShares): string | null {
  const token = BEARER_SURFACES.test(url) ? BEARER.exec(headers.authorization ?? '')?.[1] : undefined;
  return token === undefined ? null : shares.of(token, UNKNOWN.tokens);
}
