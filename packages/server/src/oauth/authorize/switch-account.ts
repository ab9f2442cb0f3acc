import type { Request, Response } from 'express';
import { beginSession } from '../../accounts/session-middleware.ts';
import type { Account } from '../../accounts/sign-in.ts';
import { openChange } from '../../change.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import type { OAuthServices } from '../oauth-services.ts';

/** Signs the user in to another of their accounts, with a new session. */
export async function switchAccount(
  { db, clock }: Pick<OAuthServices, 'db' | 'clock'>,
  req: Request,
  res: Response,
  { userId, tenantId }: Account,
): Promise<void> {
  const actor = { type: 'user', id: userId, requestId: res.locals.requestId, ip: req.ip ?? null } as const;
  const now = clock();
  await unitOfWork(db, async (transaction) => {
    const change = openChange({ db, tenantId, now }, transaction, actor);
    await change.audit({ action: 'user.signed_in', target: { type: 'user', id: userId }, at: now });
  });
  await beginSession(req, { accountId: userId, tenantId });
}
