import { HEADERS } from '@plat/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { count, move, observe } from '../kernel/meter.ts';
import { inRequest, readTraceparent, type Span, startSpan, traceField } from '../kernel/trace.ts';
import { hostProblem } from './host-problem.ts';
import { withoutAddress } from './request-entry.ts';
import type { RequestLog } from './request-log.ts';
import { refusal } from './validate.ts';

declare global {
  namespace Express {
    interface Locals {
      /** `req_…`, generated here: a value that the caller sends is ignored. */
      requestId: string;
      /** The error of a failed request, for its log line. */
      failure?: unknown;
      /** W3C trace context of the request; null without a trace. */
      traceparent: string | null;
      /** Span of the refusals before the handler. */
      gate?: Span | null;
    }
  }
}

/** Paths that monitors request every few seconds. A change of readiness has its own log line. */
const HEALTH: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz']);

interface RequestContextOptions {
  /** Clock of the timestamps in ids. */
  readonly clock?: Clock;
  /** Returns a time in ms, by which the duration of a request is measured. */
  readonly stopwatch?: () => number;
  /** Request log of the callers. Requests are not recorded if it is absent. */
  readonly requestLog?: RequestLog;
  /** False for requests of monitors, which are not part of the service's metrics; defaults to true. */
  readonly isMeasured?: boolean;
}

/** Gives every request its id. When the request ends, writes its log line and its request log entry. */
export function requestContext(log: Logger, options: RequestContextOptions = {}): RequestHandler {
  const { clock = systemClock, stopwatch = () => performance.now(), requestLog, isMeasured = true } = options;
  // The fields of this line hold no secret. Redacting them would cost a tenth of the time of a list.
  const requests = log.child({}, { redact: [] });
  return (req, res, next) => {
    const start = stopwatch();
    const startedAt = clock();
    const requestId = newId('request', startedAt);
    res.locals.requestId = requestId;
    res.setHeader(HEADERS.requestId, requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    const span = isMeasured ? startRequest(req) : null;
    const traceparent = span?.traceparent ?? readTraceparent(req.headers['traceparent']);
    res.locals.traceparent = traceparent;
    if (isMeasured) move('plat_http_in_flight', {}, 1);
    res.once('close', () => {
      const { failure } = res.locals;
      const durationMs = stopwatch() - start;
      const line = {
        req_id: requestId,
        ...traceField(traceparent),
        method: req.method,
        path: withoutAddress(req.originalUrl.split('?', 1)[0] ?? ''),
        status: res.writableFinished ? res.statusCode : 'aborted',
        ms: Math.round(durationMs * 10) / 10,
        ...(req.user ? { tenant: req.user.tenantId, credential: req.user.id } : {}),
        ...(failure === undefined ? {} : { err: failure }),
      };
      if (HEALTH.has(line.path) && failure === undefined) requests.debug(line, 'request');
      else if (res.statusCode >= 500) log.error(line, 'request failed');
      else requests.info(line, 'request');
      if (isMeasured) measure(req, res, durationMs);
      if (span) endRequest(span, req, res);
      requestLog?.record(req, res, { startedAt, durationMs });
    });
    const wrongHost = hostProblem(req);
    if (wrongHost !== null) throw refusal('INVALID_REQUEST', [{ path: 'Host', message: wrongHost }]);
    inRequest(requestId, traceparent, next);
  };
}

function startRequest(req: Request): Span | null {
  const attributes = { 'http.request.method': req.method };
  return startSpan({
    name: req.method,
    kind: 'server',
    attributes,
    parent: readTraceparent(req.headers['traceparent']),
  });
}

function endRequest(span: Span, { method }: Request, res: Response): void {
  const { operation, refusal: refused, requestId, failure, gate } = res.locals;
  gate?.end();
  span.end({
    ...(operation !== undefined && { name: `${method} ${operation}` }),
    attributes: {
      'http.response.status_code': res.writableFinished ? res.statusCode : 0,
      'plat.request_id': requestId,
      ...(operation !== undefined && { 'plat.operation': operation }),
      ...(refused && { 'plat.code': refused.code }),
    },
    ...(failure !== undefined && { error: failure }),
  });
}

function measure({ method }: Request, res: Response, durationMs: number): void {
  const { operation = '', refusal: refused } = res.locals;
  move('plat_http_in_flight', {}, -1);
  if (!res.writableFinished) {
    count('plat_http_aborted_total', { operation });
    return;
  }
  const { statusCode: status } = res;
  // A caller chooses the method of an unknown route, so it must not create time series.
  const known = operation === '' ? '' : method;
  count('plat_http_requests_total', { operation, method: known, status, code: refused?.code ?? '' });
  if (res.locals.isStream) return;
  const labels = { operation, status_class: `${Math.floor(status / 100)}xx` };
  observe('plat_http_request_duration_seconds', labels, durationMs / 1000);
}
