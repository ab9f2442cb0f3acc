import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { type Admission, refusal } from '../auth/admission.ts';
import { type KnownShares, UNKNOWN } from '../auth/shares.ts';
import { count } from '../kernel/meter.ts';
import type { OverLimit } from './over-limit.ts';
import { prepareRefusal, sendRefusal } from './prepared-refusal.ts';
import { createRefusalLog } from './refusal-log.ts';

const OVERLOADED = prepareRefusal(refusal());
const BEARER = /^Bearer +([^ ]+)$/i;
/** The surfaces that bearer tokens open. */
const SURFACE = /^\/(?:v1|developer\/v1|operator\/v1)\//;
/** The surface whose requests are counted by credential. */
const COUNTED = '/v1/';

interface Services {
  readonly admission: Admission;
  readonly shares: KnownShares;
  readonly overLimit: OverLimit;
  readonly log: Logger;
}

/**
 * Refuses requests before the application sees them: those of a credential that was just refused over its rate limit,
 * and those of a share whose queue is full. In a flood or an overload most requests are refused, so the cost of a
 * refusal decides how much is left for the others. The log has one line a second for each reason.
 */
export function refuseFirst({ admission, shares, overLimit, log }: Services, app: RequestListener): RequestListener {
  const limited = createRefusalLog((fields) => log.info(fields, 'requests refused over the rate limit'));
  const overloaded = createRefusalLog((fields) => log.warn(fields, 'requests refused because of overload'));
  return (req, res) => {
    const found = req.url?.startsWith(COUNTED) ? overLimit.find(req) : undefined;
    if (found) {
      count('plat_rate_limited_total', { counter: 'rate' });
      limited.add({ req_id: sendRefusal(res, found.refusal), ...found.caller });
      return;
    }
    const share = shareOf(req, shares);
    if (share === null || !admission.refuses(share)) return app(req, res);
    overloaded.add({ req_id: sendRefusal(res, OVERLOADED), share });
  };
}

function shareOf({ url = '', headers }: IncomingMessage, shares: KnownShares): string | null {
  const token = SURFACE.test(url) ? BEARER.exec(headers.authorization ?? '')?.[1] : undefined;
  return token === undefined ? null : shares.of(token, UNKNOWN.tokens);
}
