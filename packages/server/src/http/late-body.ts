import type { Scope } from '@plat/contract';
import type { RequestHandler } from 'express';
import { readBody } from './body.ts';
import { callerOf, refuseSuspendedTenant, requireScope } from './gate.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Looks the credential of the request up again. Absent for a call from inside. */
      authenticateAgain?: RequestHandler;
      /** True if the gate ended before the whole body arrived. */
      isBodyLate?: boolean;
    }
  }
}

/**
 * Returns the steps that read the body of a write, behind its gate. If the body arrives after the gate, the credential
 * is checked again: a caller that holds a body back must not outlive a revoked credential.
 */
export function readBodyOfCaller(scope: Scope | null): readonly RequestHandler[] {
  return [noteLateBody, readBody, authenticateLateBody, requireScope(scope), refuseSuspendedTenant];
}

const noteLateBody: RequestHandler = (req, res, next) => {
  res.locals.isBodyLate = !req.complete;
  next();
};

const authenticateLateBody: RequestHandler = (req, res, next) => {
  const { isBodyLate, authenticateAgain } = res.locals;
  if (!isBodyLate || !authenticateAgain) return next();
  const { tenantId } = callerOf(req);
  return authenticateAgain(req, res, (error?: unknown) => {
    if (error !== undefined) return next(error);
    // A vendor key has the tenant of the path.
    req.user = { ...callerOf(req), tenantId };
    next();
  });
};
