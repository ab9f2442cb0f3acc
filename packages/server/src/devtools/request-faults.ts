import { setTimeout as wait } from 'node:timers/promises';
import { HEADERS, RETRY_AFTER_CODES } from '@plat/contract';
import { type Request, type Response, Router } from 'express';
import { invalidToken } from '../http/bearer.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { answerRefusal } from '../oauth/refusals.ts';
import { type DevFault, type Faults, isRequestFault, type RequestFault } from './faults.ts';
import { isTarget, OAUTH_FORM_PATHS } from './targets.ts';

/** Names the fault in a response that it changed, so that it cannot be mistaken for a response of the server. */
const FAULT_HEADER = 'X-Dev-Fault';

export interface RequestFaultServices {
  readonly faults: Faults;
  readonly clock: Clock;
  /** Rate limit: maximum number of requests per credential and window. */
  readonly rateLimit: number;
  /** Returns the tenant of a request, if its credential has one. */
  tenantOf(req: Request): Promise<string | null>;
}

/** Injects the configured faults into requests. */
export function requestFaults(services: RequestFaultServices): Router {
  const { faults, tenantOf } = services;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(async (req, res, next) => {
    const waiting = faults.list();
    if (waiting.length === 0) return next();
    const { method, path } = req;
    const tenantId = waiting.some(({ tenant_id }) => tenant_id !== undefined) ? await tenantOf(req) : null;
    const fault = faults.strike(
      isRequestFault,
      (one) => isTarget(one, { method, path }) && (one.tenant_id === undefined || one.tenant_id === tenantId),
    );
    if (!fault) return next();
    res.setHeader(FAULT_HEADER, fault.id);
    if (fault.kind === 'error') throw refusalOf(fault);
    if (fault.kind === 'rate_limited') {
      const { retry_after: seconds = 1 } = fault;
      res.setHeader(HEADERS.rateLimit, services.rateLimit);
      res.setHeader(HEADERS.rateRemaining, 0);
      res.setHeader(HEADERS.rateReset, Math.ceil(services.clock() / 1000) + seconds);
      throw new ApiError('RATE_LIMITED', words(fault), { headers: { 'Retry-After': String(seconds) } });
    }
    if (fault.kind === 'cut' && fault.when === 'before') {
      req.socket.destroy();
      return;
    }
    if (fault.kind === 'delay') await wait(fault.ms);
    if (fault.kind === 'cut') replaceResponse(res, () => req.socket.destroy());
    if (fault.kind === 'malformed') replaceResponse(res, (text) => sendHalf(res, text));
    next();
  });
  // Their refusals have the form of RFC 6749.
  router.use([...OAUTH_FORM_PATHS], answerRefusal);
  return router;
}

function refusalOf(fault: DevFault<Extract<RequestFault, { readonly kind: 'error' }>>): ApiError {
  const { code, message = words(fault) } = fault;
  switch (code) {
    case 'INVALID_TOKEN':
      return invalidToken(message);
    case 'INVALID_REQUEST':
    case 'INVALID_BODY':
      return new ApiError(code, message, { errors: [{ path: '', message }] });
    default:
      return new ApiError(code, message, RETRY_AFTER_CODES.includes(code) ? { headers: { 'Retry-After': '1' } } : {});
  }
}

function words({ id }: DevFault): string {
  return `Injected by the fault ${id} of the development mode`;
}

/**
 * Replaces the response. Every handler ends its response with one call: the request is then processed, and nothing of
 * the response is sent.
 */
function replaceResponse(res: Response, send: (text: string) => void): void {
  const end = res.end;
  res.end = (content: unknown) => {
    res.end = end;
    send(typeof content === 'string' || Buffer.isBuffer(content) ? content.toString() : '');
    return res;
  };
}

function sendHalf(res: Response, text: string): void {
  const half = text.slice(0, Math.ceil(text.length / 2));
  res.setHeader('Content-Length', Buffer.byteLength(half));
  res.end(half);
}
