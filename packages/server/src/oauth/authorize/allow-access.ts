import type { Request, Response } from 'express';
import type { AdminSession } from '../../accounts/session.ts';
import { type Actor, openChange } from '../../change.ts';
import { violates } from '../../db/errors.ts';
import { GRANT_CODE } from '../../db/tables/oauth-grants.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { giveConsent } from '../consents.service.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { AuthorizationRequest, RequestingApp, ReturnAddress } from './authorization-request.ts';
import { codesOf } from './consent-form.ts';

interface Decision {
  readonly app: RequestingApp;
  readonly back: ReturnAddress;
  readonly session: AdminSession;
  readonly request: AuthorizationRequest;
  readonly form: Pick<Parameters<typeof codesOf>[1], 'formId' | 'parameters'>;
}

/** Resolves to the code; null if the form was sent before and its code can no longer be exchanged. */
export async function allowAccess(
  { db, clock, sealer }: Pick<OAuthServices, 'db' | 'clock' | 'sealer'>,
  req: Request,
  res: Response,
  { app, back, session, request, form }: Decision,
): Promise<string | null> {
  const { userId, tenantId, sessionId } = session;
  const { requestId } = res.locals;
  const actor: Actor = { type: 'user', id: userId, sessionId, requestId, ip: req.ip ?? null };
  const codes = codesOf(sealer, { ...form, tenantId, userId });
  const give = () =>
    unitOfWork(db, async (transaction) => {
      const change = openChange({ db, tenantId, now: clock() }, transaction, actor);
      return giveConsent(change, { app, userId, ...request, redirectUri: back.redirectUri, codes });
    });
  // On a cluster another node may have committed the same form: the second run finds its grant.
  const { code, isOpen } = await give().catch((error: unknown) => {
    if (!violates(error, GRANT_CODE)) throw error;
    return give();
  });
  return isOpen ? code : null;
}
