import type { Scope } from '@plat/contract';
import type { RequestHandler } from 'express';
import { readBody } from './body.ts';
import { callerOf, refuseSuspendedTenant, requireScope } from './gate.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Looks the credential of the request up again. Absent for a call from inside. */
      authenticateAgain?: RequestHandler;
    }
  }
}

/**
 * Returns the steps that read the body of a write, behind its gate. If the body arrives after the gate, the credential
 * is checked again: a caller that holds a body back must not outlive a revoked credential.
 */
export function readBodyOfCaller(scope: Scope | null): readonly RequestHandler[] {
  return [readAndAuthenticate, requireScope(scope), refuseSuspendedTenant];
}

const readAndAuthenticate: RequestHandler = (req, res, next) => {
  const isLate = !req.complete;
  readBody(req, res, (error?: unknown) => {
    const { authenticateAgain } = res.locals;
    if (error !== undefined || !isLate || !authenticateAgain) return next(error);
    const { tenantId } = callerOf(req);
    authenticateAgain(req, res, (refusal?: unknown) => {
      // A vendor key has the tenant of the path.
      if (refusal === undefined) req.user = { ...callerOf(req), tenantId };
      next(refusal);
    });
  });
};
