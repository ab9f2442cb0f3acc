import type { Introspection } from '@plat/contract';
import type { RequestHandler } from 'express';
import { type AccessToken, findAccessToken } from '../auth/access-tokens.ts';
import { sendJson } from '../http/respond.ts';
import type { AuthenticateApp } from './authenticate-app.ts';
import { formFields, requireFields } from './fields.ts';
import type { OAuthServices } from './oauth-services.ts';

/**
 * `POST /oauth/introspect` (RFC 7662): whether an access token of the asking app works now. Of whatever else is presented
 * it tells nothing: unknown, expired, revoked, another app's, or of a tenant that is suspended look the same.
 */
export function introspectEndpoint(services: OAuthServices, authenticate: AuthenticateApp): RequestHandler {
  const { db, clock } = services;
  return async (req, res) => {
    const form = formFields(req);
    const { token } = requireFields(form, ['token']);
    const { app } = await authenticate(req, res, form);
    const found = await findAccessToken(db, token, clock());
    const isLive = found?.appId === app.id && found.tenantStatus === 'active';
    sendJson(res, 200, JSON.stringify(isLive ? describeToken(found) : INACTIVE));
  };
}

const INACTIVE: Introspection = { active: false };

function describeToken({ appId, scopes, expiresAt, userId, tenantId }: AccessToken): Introspection {
  return {
    active: true,
    client_id: appId,
    scope: scopes.join(' '),
    // Rounded down: nobody is told that it lives longer than it does.
    exp: Math.floor(expiresAt / 1000),
    sub: userId,
    tenant_id: tenantId,
  };
}
