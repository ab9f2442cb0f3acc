import type { Request, Response } from 'express';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Clock } from '../kernel/clock.ts';
import { beginSession } from './session-middleware.ts';
import { type Account, recordSignIn } from './sign-in.ts';

interface SwitchServices {
  readonly db: Database;
  readonly clock: Clock;
}

/** Signs the user in to another of their accounts, with a new session. */
export async function switchAccount(
  { db, clock }: SwitchServices,
  req: Request,
  res: Response,
  account: Pick<Account, 'userId' | 'tenantId'>,
): Promise<void> {
  const signIn = { now: clock(), request: { requestId: res.locals.requestId, ip: req.ip ?? null } };
  await beginSession(req, await unitOfWork(db, (transaction) => recordSignIn(db, transaction, account, signIn)));
}
