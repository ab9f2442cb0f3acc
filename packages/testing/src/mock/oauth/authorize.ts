import { OAUTH_PATHS, stateProblem } from '@plat/contract';
import { firstOwner } from '../families/users.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { type OAuthServer, oauthBody } from './endpoints.ts';
import { type Fields, readScope, refuseField } from './form.ts';
import { type App, addGrant } from './grants.ts';

/** Decision of the tenant's owner on the consent page. */
export type Decision = 'allow' | 'deny';

/**
 * Returns the address to which the platform sends the browser after the owner's decision: the redirect URI with `code`,
 * or with `error`, and with `state` and `iss`.
 * @throws TypeError for a request whose error the platform shows on its own page
 */
export function authorize(server: OAuthServer, world: World, address: URL, decision: Decision): string {
  const { issuer } = server;
  if (address.href.split('?')[0] !== issuer + OAUTH_PATHS.authorize) {
    throw new TypeError(`the address must begin with ${issuer}${OAUTH_PATHS.authorize}?`);
  }
  const fields = Object.fromEntries(address.searchParams);
  const { client_id: id = '', redirect_uri: redirectUri = '', state } = fields;
  const app = server.apps.get(id);
  if (!app) throw new TypeError(`client_id must be the id of an app of the mock, not ${id || 'absent'}`);
  if (!app.redirectUris.includes(redirectUri)) {
    throw new TypeError(`redirect_uri is not one of the app: ${redirectUri || 'absent'}`);
  }
  const back = (answer: Readonly<Record<string, string>>): string => {
    const added = new URLSearchParams({ ...answer, ...(state ? { state } : {}), iss: issuer });
    return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.toString().replaceAll('+', '%20')}`;
  };
  try {
    const { scopes, challenge } = readRequest(address.searchParams, fields, app);
    if (decision === 'deny') throw new Refusal('FORBIDDEN', 'The owner of the tenant denied access');
    const { grants, now } = server;
    const userId = firstOwner(world).id;
    return back({ code: addGrant(grants, world, { app, redirectUri, scopes, challenge, userId, now }).code });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { error: name, error_description } = oauthBody(error);
    return back({ error: name, error_description });
  }
}

/** Reads the part of the request whose errors are sent to the app, in the order of the platform. */
function readRequest(parameters: URLSearchParams, fields: Fields, app: App) {
  const repeated = [...new Set(parameters.keys())].find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) throw refuseField(repeated, 'is given more than once');
  const {
    state = '',
    response_type: type,
    code_challenge: challenge,
    code_challenge_method: method,
    scope = '',
  } = fields;
  const wrongState = stateProblem(state);
  if (wrongState !== null) throw refuseField('state', wrongState);
  if (!type) throw refuseField('response_type', 'is required');
  if (type !== 'code') throw refuseField('response_type', 'must be code', 'unsupported_response_type');
  if (!challenge) throw refuseField('code_challenge', 'is required');
  if (method !== 'S256') throw refuseField('code_challenge_method', 'must be S256');
  if (!/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(challenge)) {
    throw refuseField('code_challenge', 'must be the base64url of a SHA-256 digest');
  }
  return { challenge, scopes: readScope(scope, app.scopes, 'those that the app declared') };
}
