import type { TokenResponse } from '@plat/contract';
import type { RequestHandler } from 'express';
import { begunCall } from '../http/call.ts';
import { sendJson } from '../http/respond.ts';
import { ApiError } from '../kernel/api-error.ts';
import { count } from '../kernel/meter.ts';
import { type AuthenticateApp, findApp } from './authenticate-app.ts';
import { exchangeCode } from './exchange-code.ts';
import { formFields, type Parameters, requireFields } from './fields.ts';
import type { OAuthServices } from './oauth-services.ts';
import { isCodeVerifier } from './pkce.ts';
import { refresh } from './refresh.ts';
import { macKeysOf } from './refresh-token.ts';
import { refuseField } from './refusals.ts';
import type { TokenCall } from './token-call.ts';

/** Handler of a grant type. Receives the form after the app has authenticated. */
type Exchange = (call: TokenCall) => Promise<TokenResponse>;

/**
 * `POST /oauth/token`, in this order: the form, the app's secret, and then the fields of the grant type. An incomplete
 * form is refused before any look-up.
 */
export function tokenEndpoint(services: OAuthServices, authenticate: AuthenticateApp): RequestHandler {
  const { db, clock, sealer, admission, refreshGraceMs: graceMs } = services;
  const graceKeys = sealer.keysFor('refreshed tokens');
  const keys = macKeysOf(sealer).flatMap((mac, i) => {
    const grace = graceKeys[i];
    return grace ? [{ mac, grace }] : [];
  });
  return async (req, res) => {
    let grant = '';
    try {
      const form = formFields(req);
      const exchange = readGrant(form);
      grant = form['grant_type'] ?? '';
      const { app, actor } = await authenticate(req, res, form, findApp(db));
      const found = (grantId: string) => {
        if (res.locals.app) res.locals.app.grantId = grantId;
      };
      const call = { db, app, actor, now: clock(), graceMs, found, keys };
      const tokens = await admission.run(app.id, () => exchange(call), begunCall(req));
      count('plat_oauth_tokens_total', { grant, outcome: 'issued' });
      sendJson(res, 200, JSON.stringify(tokens));
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status < 500;
      count('plat_oauth_tokens_total', { grant, outcome: isRefusal ? 'refused' : 'failed' });
      throw error;
    }
  };
}

function readGrant(form: Parameters): Exchange {
  const { grant_type: grantType } = requireFields(form, ['grant_type']);
  if (grantType === 'authorization_code') return readCodeGrant(form);
  if (grantType === 'refresh_token') return readRefreshGrant(form);
  throw refuseField('grant_type', 'must be authorization_code or refresh_token', 'unsupported_grant_type');
}

function readCodeGrant(form: Parameters): Exchange {
  const fields = requireFields(form, ['code', 'redirect_uri', 'code_verifier']);
  if (!isCodeVerifier(fields.code_verifier)) {
    throw refuseField('code_verifier', 'must be 43 to 128 letters, digits, hyphens, dots, underscores or tildes');
  }
  return (call) => exchangeCode(call, fields);
}

function readRefreshGrant(form: Parameters): Exchange {
  const { scope } = form;
  const fields = { ...requireFields(form, ['refresh_token']), ...(scope === undefined ? {} : { scope }) };
  return (call) => refresh(call, fields);
}
