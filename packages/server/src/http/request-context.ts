import { HEADERS } from '@plat/contract';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { RequestLog } from './request-log.ts';
import { refusal } from './validate.ts';

declare global {
  namespace Express {
    interface Locals {
      /** `req_…`, made here: a caller's own value is never taken over. */
      requestId: string;
      /** What went wrong, for the log line of the request. */
      failure?: unknown;
    }
  }
}

/** Asked every few seconds by whoever watches the server. */
const HEALTH: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz']);

interface RequestContextOptions {
  /** What ids are dated by. */
  readonly clock?: Clock;
  /** What says how long a request took, in ms. */
  readonly stopwatch?: () => number;
  /** What keeps requests for those who sent them; nothing does when absent. */
  readonly requestLog?: RequestLog;
}

/** Gives every request its id and, when it is over, its line in the log and its place in the request log. */
export function requestContext(log: Logger, options: RequestContextOptions = {}): RequestHandler {
  const { clock = systemClock, stopwatch = () => performance.now(), requestLog } = options;
  // The line of a request is made of what is known to hold no secret; looking through each again costs a tenth of a list.
  const requests = log.child({}, { redact: [] });
  return (req, res, next) => {
    const start = stopwatch();
    const startedAt = clock();
    const requestId = newId('request', startedAt);
    res.locals.requestId = requestId;
    res.setHeader(HEADERS.requestId, requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.once('close', () => {
      const { failure } = res.locals;
      const durationMs = stopwatch() - start;
      const line = {
        req_id: requestId,
        method: req.method,
        path: req.originalUrl.split('?', 1)[0],
        status: res.writableFinished ? res.statusCode : 'aborted',
        ms: Math.round(durationMs * 10) / 10,
        ...(req.user ? { tenant: req.user.tenantId, credential: req.user.id } : {}),
        ...(failure === undefined ? {} : { err: failure }),
      };
      if (res.statusCode >= 500) log.error(line, 'request failed');
      else if (HEALTH.has(line.path)) requests.debug(line, 'request');
      else requests.info(line, 'request');
      requestLog?.record(req, res, { startedAt, durationMs });
    });
    // RFC 9112, section 3.2.
    if (req.headers.host === undefined && req.httpVersion === '1.1') {
      throw refusal('INVALID_REQUEST', [{ path: 'Host', message: 'is required' }]);
    }
    next();
  };
}
