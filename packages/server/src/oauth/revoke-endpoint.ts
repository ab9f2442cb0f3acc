import type { RequestHandler } from 'express';
import type { Database } from '../db/database.ts';
import type { OAuthGrantRow } from '../db/models/oauth-grant.model.ts';
import { selectOne } from '../db/sql.ts';
import { sendJson } from '../http/respond.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { type AuthenticateApp, findApp } from './authenticate-app.ts';
import { endFamily } from './end-family.ts';
import { formFields, requireFields } from './fields.ts';
import type { OAuthServices } from './oauth-services.ts';

/**
 * `POST /oauth/revoke` (RFC 7009): an app gives up a token of its own, and with it the whole family. It is 200 whether
 * or not there was anything to end, so that nothing is learnt of what others have; `token_type_hint` is not needed.
 */
export function revokeEndpoint(services: OAuthServices, authenticate: AuthenticateApp): RequestHandler {
  const { db, clock } = services;
  return async (req, res) => {
    const form = formFields(req);
    const { token } = requireFields(form, ['token']);
    const { app, actor } = await authenticate(req, res, form, findApp(db));
    const grant = await findGrantOf(db, token);
    if (grant?.app_id === app.id) await endFamily(db, { grant, reason: 'app', actor, now: clock() });
    // Nobody reads it (RFC 7009, section 2.2), but some clients take nothing for an answer that is not JSON.
    sendJson(res, 200, '{}');
  };
}

/** The family of an access or refresh token, live or not. */
async function findGrantOf(
  db: Database,
  token: string,
): Promise<Pick<OAuthGrantRow, 'id' | 'tenant_id' | 'app_id'> | undefined> {
  const kind = TABLES.find(({ prefix }) => isWellFormedToken(prefix, token));
  if (!kind) return undefined;
  return selectOne(
    db,
    `SELECT g.id, g.tenant_id, g.app_id FROM ${kind.table} t JOIN oauth_grants g ON g.id = t.grant_id
     WHERE t.token_hash = :hash`,
    { hash: hashToken(token) },
  );
}

const TABLES = [
  { prefix: 'plat_at_', table: 'oauth_access_tokens' },
  { prefix: 'plat_rt_', table: 'oauth_refresh_tokens' },
] as const;
