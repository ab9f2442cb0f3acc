import type { RequestHandler } from 'express';
import type { Database } from '../db/database.ts';
import type { OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import { sendJson } from '../http/respond.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { type AuthenticateApp, findApp } from './authenticate-app.ts';
import { endFamily } from './end-family.ts';
import { formFields, requireFields } from './fields.ts';
import { findRefreshToken } from './find-refresh-token.ts';
import type { OAuthServices } from './oauth-services.ts';
import { REFRESH_TOKEN_PURPOSE } from './refresh-token.ts';

/**
 * `POST /oauth/revoke` (RFC 7009): an app gives up a token of its own, and with it the whole family. It is 200 whether
 * or not there was anything to end, so that nothing is learnt of what others have; `token_type_hint` is not needed.
 */
export function revokeEndpoint(services: OAuthServices, authenticate: AuthenticateApp): RequestHandler {
  const { db, clock, sealer } = services;
  const macKeys = sealer.keysFor(REFRESH_TOKEN_PURPOSE);
  return async (req, res) => {
    const form = formFields(req);
    const { token } = requireFields(form, ['token']);
    const { app, actor } = await authenticate(req, res, form, findApp(db));
    const grant = (await findByAccessToken(db, token)) ?? (await findRefreshToken(db, token, macKeys));
    if (grant?.app_id === app.id) await endFamily(db, { grant, reason: 'app', actor, now: clock() });
    // Nobody reads it (RFC 7009, section 2.2), but some clients take nothing for an answer that is not JSON.
    sendJson(res, 200, '{}');
  };
}

/** The family of an access token, live or not. */
async function findByAccessToken(db: Database, token: string): Promise<OAuthGrantRow | null> {
  if (!isWellFormedToken('plat_at_', token)) return null;
  const { oauthAccessToken, oauthGrant } = db.models;
  const found = await oauthAccessToken.findOne({ where: { token_hash: hashToken(token) }, raw: true });
  return found && oauthGrant.findByPk(found.grant_id, { raw: true });
}
