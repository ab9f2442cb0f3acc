import type { Introspection } from '@plat/contract';
import type { RequestHandler } from 'express';
import { ACCESS_TOKEN_COLUMNS, type AccessToken, type AccessTokenRow, liveToken } from '../auth/access-tokens.ts';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { sendJson } from '../http/respond.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { type AuthenticateApp, SECRET_COLUMNS, type SecretRow } from './authenticate-app.ts';
import { formFields, requireFields } from './fields.ts';
import type { OAuthServices } from './oauth-services.ts';

/**
 * `POST /oauth/introspect` (RFC 7662): reports if an access token of the calling app is valid now. An unknown, expired
 * or revoked token, one of another app and one of a suspended tenant all get the same response.
 */
export function introspectEndpoint(services: OAuthServices, authenticate: AuthenticateApp): RequestHandler {
  const { db, clock } = services;
  return async (req, res) => {
    const form = formFields(req);
    const { token } = requireFields(form, ['token']);
    const { app } = await authenticate(req, res, form, (id) => findAppWithToken(db, id, token));
    const found = hasToken(app) ? liveToken(app, clock()) : null;
    sendJson(res, 200, JSON.stringify(found?.tenantStatus === 'active' ? describeToken(found) : INACTIVE));
  };
}

/** Columns of grant and tenant are null if the app has no such token. */
type AppWithToken = SecretRow & (AccessTokenRow | { readonly tenant_status: null });

/** One query by primary keys: this is the most frequent request of apps. */
function findAppWithToken(db: Database, id: string, token: string): Promise<AppWithToken | undefined> {
  const hash = isWellFormedToken('plat_at_', token) ? hashToken(token) : Buffer.alloc(0);
  return selectOne<AppWithToken>(
    db,
    `SELECT ${SECRET_COLUMNS}, ${ACCESS_TOKEN_COLUMNS}
     FROM oauth_apps p
     LEFT JOIN oauth_access_tokens a ON a.token_hash = :hash
     LEFT JOIN oauth_grants g ON g.id = a.grant_id AND g.app_id = p.id
     LEFT JOIN tenants t ON t.id = g.tenant_id
     WHERE p.id = :id`,
    { id, hash },
  );
}

function hasToken(app: AppWithToken): app is SecretRow & AccessTokenRow {
  return app.tenant_status !== null;
}

const INACTIVE: Introspection = { active: false };

function describeToken({ appId, scopes, expiresAt, userId, tenantId }: AccessToken): Introspection {
  return {
    active: true,
    client_id: appId,
    scope: scopes.join(' '),
    // Rounded down: the reported expiry is never later than the actual one.
    exp: Math.floor(expiresAt / 1000),
    sub: userId,
    tenant_id: tenantId,
  };
}
