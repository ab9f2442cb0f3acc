import type { RequestHandler } from 'express';
import type { Database } from '../db/database.ts';
import type { OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import { begunCall } from '../http/call.ts';
import { sendJson } from '../http/respond.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { type AuthenticateApp, findApp } from './authenticate-app.ts';
import { endFamily } from './end-family.ts';
import { formFields, requireFields } from './fields.ts';
import { findRefreshToken } from './find-refresh-token.ts';
import type { OAuthServices } from './oauth-services.ts';
import { macKeysOf } from './refresh-token.ts';

/**
 * `POST /oauth/revoke` (RFC 7009): an app revokes one of its tokens, and with it the whole family. The response is 200
 * for unknown tokens too, so that the app learns nothing about tokens of other apps. `token_type_hint` is ignored.
 */
export function revokeEndpoint(services: OAuthServices, authenticate: AuthenticateApp): RequestHandler {
  const { db, clock, sealer, admission } = services;
  const macKeys = macKeysOf(sealer);
  return async (req, res) => {
    const form = formFields(req);
    const { token } = requireFields(form, ['token']);
    const { app, actor } = await authenticate(req, res, form, findApp(db));
    const revoke = async () => {
      const grant = (await findByAccessToken(db, token)) ?? (await findRefreshToken(db, token, macKeys));
      if (grant?.app_id === app.id) await endFamily(db, { grant, reason: 'app', actor, now: clock() });
    };
    await admission.run(app.id, revoke, begunCall(req));
    // Clients ignore this body (RFC 7009, section 2.2), but some fail on a response that is not JSON.
    sendJson(res, 200, '{}');
  };
}

/** Finds the family of an access token, live or not. */
async function findByAccessToken(db: Database, token: string): Promise<OAuthGrantRow | null> {
  if (!isWellFormedToken('plat_at_', token)) return null;
  const { oauthAccessToken, oauthGrant } = db.models;
  const found = await oauthAccessToken.findOne({ where: { token_hash: hashToken(token) }, raw: true });
  return found && oauthGrant.findByPk(found.grant_id, { raw: true });
}
