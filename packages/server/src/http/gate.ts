import { HEADERS, type Scope } from '@plat/contract';
import type { RequestHandler, Response } from 'express';
import { challenge } from '../auth/challenge.ts';
import type { Counter, RateState } from '../auth/counter.ts';
import type { Caller } from '../auth/credential.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import { ApiError } from '../kernel/api-error.ts';
import { inTrace, startChild } from '../kernel/trace.ts';
import { rateLimited } from './rate-limited.ts';

declare global {
  namespace Express {
    interface Locals {
      rate?: RateState;
    }
  }
}

/** Returns the caller that {@link authenticateBearer} found. */
export function callerOf(req: { user?: Express.User | undefined }): Caller {
  if (!req.user) throw new Error('a handler ran before the gate');
  return req.user;
}

/** Begins the span of all refusals before the handler of the route: credential, limits, scope and tenant. */
export const beginGate: RequestHandler = (_req, res, next) => {
  const gate = startChild('gate');
  if (!gate) return next();
  res.locals.gate = gate;
  inTrace(gate.traceparent, next);
};

/** Ends the span of the gate, and runs the handler as a step of the request. */
export function passGate<T>({ locals }: Response, handle: () => T): T {
  if (!locals.gate || locals.traceparent === null) return handle();
  locals.gate.end();
  locals.gate = null;
  return inTrace(locals.traceparent, handle);
}

/**
 * Counts the request, so that every response to a valid credential has rate limit headers. It refuses nothing:
 * refuseOverLimit does.
 */
export function countRequest(rateLimit: RateLimit): RequestHandler {
  return async (req, res, next) => {
    const rate = await rateLimit.consume(callerOf(req).id);
    res.setHeader(HEADERS.rateLimit, rate.limit);
    res.setHeader(HEADERS.rateRemaining, rate.remaining);
    res.setHeader(HEADERS.rateReset, rate.reset);
    res.locals.rate = rate;
    next();
  };
}

/** Refuses with 403 a credential that lacks the scope of the route (specification, Authentication 11). */
export function requireScope(scope: Scope | null): RequestHandler {
  return (req, _res, next) => {
    if (scope !== null && !callerOf(req).scopes.includes(scope)) throw lacksScope(scope);
    next();
  };
}

export function lacksScope(scope: Scope): ApiError {
  return new ApiError('INSUFFICIENT_SCOPE', `The credential lacks the scope ${scope}`, {
    headers: challenge('insufficient_scope', { scope }),
  });
}

export const refuseSuspendedTenant: RequestHandler = (req, _res, next) => {
  // An unknown status of a newer version is refused, too.
  if (callerOf(req).tenantStatus !== 'active') throw tenantSuspended();
  next();
};

export function tenantSuspended(): ApiError {
  return new ApiError('TENANT_SUSPENDED', 'The tenant is suspended; access is frozen until it is reactivated');
}

export const refuseOverLimit: RequestHandler = (_req, res, next) => {
  const { rate } = res.locals;
  if (rate && rate.retryAfter !== null) throw overLimit(rate);
  next();
};

/** Returns the refusal of a credential until its window ends. */
export function overLimit(rate: RateState): ApiError {
  return rateLimited(`Over ${rate.limit} requests in the window; wait ${rate.retryAfter} s`, rate);
}

/**
 * Limits the changes of a sandbox over all its credentials. Anyone can register a sandbox, so its storage must be
 * bounded. This is the last step of the gate, so that a credential that may not change the sandbox does not use up the
 * limit of the others.
 */
export function limitSandboxWrites(writes: Counter): RequestHandler {
  return async (req, _res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') await countSandboxWrite(writes, callerOf(req));
    next();
  };
}

/**
 * Counts a change, if its tenant is a sandbox.
 * @throws {@link ApiError} RATE_LIMITED
 */
export async function countSandboxWrite(
  writes: Counter,
  { sandbox, tenantId }: Pick<Caller, 'sandbox' | 'tenantId'>,
): Promise<void> {
  if (!sandbox) return;
  const { limit, retryAfter } = await writes.consume(tenantId);
  if (retryAfter === null) return;
  // The other headers describe the window of the credential, in which reads still work.
  throw new ApiError('RATE_LIMITED', `Over ${limit} changes of this sandbox in the window; wait ${retryAfter} s`, {
    headers: { 'Retry-After': String(retryAfter) },
  });
}
