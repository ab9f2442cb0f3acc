import { LIMITS, type OAuthAuthorization, type Scope } from '@plat/contract';
import { emit } from '../record.ts';
import type { World } from '../world.ts';

/** A registered OAuth app. */
export interface App {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
}

/** One consent of the tenant with its tokens, of which a reused refresh token or code ends all. */
export interface Grant {
  readonly id: string;
  readonly app: App;
  readonly authorization: OAuthAuthorization;
  readonly code: string;
  readonly redirectUri: string;
  readonly challenge: string;
  /** Unix time in ms. */
  readonly createdAt: number;
  isActive: boolean;
  /** The current refresh token; null until the code is exchanged. */
  refresh: string | null;
  /** Unix time in ms of the last exchange. */
  exchangedAt: number;
  /** The two newest access tokens, the newest first: a refresh ends older ones. */
  access: readonly string[];
  /** True since the first refresh, or the first use of its tokens at the API. */
  hasBegun: boolean;
}

interface AccessToken {
  readonly grant: Grant;
  readonly scopes: readonly Scope[];
  /** Unix time in ms. */
  readonly expires: number;
}

/** The grants of a mock, with every code and token that it issued. */
export interface Grants {
  readonly byCode: Map<string, Grant>;
  readonly byRefresh: Map<string, Grant>;
  readonly byAccess: Map<string, AccessToken>;
  /** Returns a new secret with a prefix of the platform. */
  readonly newSecret: (prefix: 'plat_ac_' | 'plat_at_' | 'plat_rt_') => string;
}

/** A pair of tokens, as the token response names them. */
export interface Pair {
  readonly access: string;
  readonly refresh: string;
}

interface Consent extends Pick<Grant, 'app' | 'redirectUri' | 'challenge'> {
  readonly scopes: readonly Scope[];
  /** Id of the owner. */
  readonly userId: string;
  readonly now: number;
}

/** Gives an app access. The new grant replaces the former one when it begins. */
export function addGrant(grants: Grants, world: World, { scopes, userId, now, ...consent }: Consent): Grant {
  const { app } = consent;
  const authorization: OAuthAuthorization = {
    object: 'oauth_authorization',
    app_id: app.id,
    app_name: app.name,
    tenant_id: world.tenant.id,
    scopes,
    granted_by: userId,
    created_at: new Date(now).toISOString(),
    revoked_at: null,
  };
  const grant: Grant = {
    id: world.newId('grant'),
    ...consent,
    authorization,
    code: grants.newSecret('plat_ac_'),
    createdAt: now,
    isActive: true,
    refresh: null,
    exchangedAt: now,
    access: [],
    hasBegun: false,
  };
  grants.byCode.set(grant.code, grant);
  emit({ world, requestId: world.newId('request'), now }, 'oauth.app_authorized', authorization);
  return grant;
}

/** Ends the grants of an app as its tenant does. Returns true if one was active. */
export function revokeConsent(grants: Grants, world: World, app: App, now: number): boolean {
  const active = [...grants.byCode.values()].filter((grant) => grant.isActive && grant.app === app);
  for (const grant of active) grant.isActive = false;
  const last = active.at(-1);
  if (!last) return false;
  const revoked = { ...last.authorization, revoked_at: new Date(now).toISOString() };
  emit({ world, requestId: world.newId('request'), now }, 'oauth.app_revoked', revoked);
  return true;
}

/** Issues the next pair of a grant. The former refresh token now counts as used, and access tokens before the last end. */
export function rotate(grants: Grants, grant: Grant, scopes: readonly Scope[], now: number): Pair {
  const pair = { access: grants.newSecret('plat_at_'), refresh: grants.newSecret('plat_rt_') };
  const [last, ...older] = grant.access;
  for (const token of older) grants.byAccess.delete(token);
  grant.access = last === undefined ? [pair.access] : [pair.access, last];
  grant.refresh = pair.refresh;
  grant.exchangedAt = now;
  grants.byRefresh.set(pair.refresh, grant);
  grants.byAccess.set(pair.access, { grant, scopes, expires: now + LIMITS.accessTokenSeconds * 1000 });
  return pair;
}

/** Returns an access token that is valid now. */
export function findAccess({ byAccess }: Grants, token: string, now: number): AccessToken | undefined {
  const found = byAccess.get(token);
  return found?.grant.isActive && found.expires > now ? found : undefined;
}

/** Marks a grant as begun, which ends the former grants of its app. */
export function begin(grants: Grants, grant: Grant): void {
  if (grant.hasBegun) return;
  grant.hasBegun = true;
  endOthers(grants, grant, ({ refresh }) => refresh !== null);
}

/** Ends the other grants of the app that fulfil a condition. */
export function endOthers({ byCode }: Grants, grant: Grant, which: (other: Grant) => boolean): void {
  for (const other of byCode.values()) {
    if (other !== grant && other.app === grant.app && which(other)) other.isActive = false;
  }
}
