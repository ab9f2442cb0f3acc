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
      /** `req_…`, generated here: a value that the caller sends is ignored. */
      requestId: string;
      /** The error of a failed request, for its log line. */
      failure?: unknown;
    }
  }
}

/** Paths that monitors request every few seconds. */
const HEALTH: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz']);

interface RequestContextOptions {
  /** Clock of the timestamps in ids. */
  readonly clock?: Clock;
  /** Returns a time in ms, by which the duration of a request is measured. */
  readonly stopwatch?: () => number;
  /** Request log of the callers. Requests are not recorded if it is absent. */
  readonly requestLog?: RequestLog;
}

/** Gives every request its id. When the request ends, writes its log line and its request log entry. */
export function requestContext(log: Logger, options: RequestContextOptions = {}): RequestHandler {
  const { clock = systemClock, stopwatch = () => performance.now(), requestLog } = options;
  // The fields of this line hold no secret. Redacting them would cost a tenth of the time of a list.
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
