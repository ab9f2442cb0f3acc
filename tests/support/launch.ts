import { createPublicKey, verify } from 'node:crypto';
import type { LaunchTokenClaims } from '@plat/contract';
import { execute, selectOne, type TestServer, type TestTenant } from '@plat/server/testing';
import { type Api, apiOf } from './api.ts';

/** A seeded sandbox, whose plan is `growth`. */
export interface LaunchWorld extends TestTenant {
  readonly api: Api;
  /** The tier-2 customer and the tier-3 customer. */
  readonly clients: readonly [string, string];
  readonly groupId: string;
  readonly memberId: string;
  readonly viewerId: string;
}

export async function launchWorld(server: TestServer): Promise<LaunchWorld> {
  const tenant = await server.createSandbox();
  const api = apiOf(server.baseUrl, tenant.apiKey);
  const idsOf = async (path: string): Promise<string[]> =>
    (await api(path)).body.data.map(({ id }: { id: string }) => id);
  const [second = '', first = ''] = await idsOf('/v1/clients');
  const [groupId = ''] = await idsOf('/v1/groups');
  const [memberId = ''] = await idsOf('/v1/users?role=member');
  const [viewerId = ''] = await idsOf('/v1/users?role=viewer');
  return { ...tenant, api, clients: [first, second], groupId, memberId, viewerId };
}

/** Sets a tenant's plan, as `tenants create --plan` does. */
export async function setPlan({ db }: TestServer, tenantId: string, slug: string): Promise<void> {
  const plan = await selectOne<{ id: string }>(db, 'SELECT id FROM plans WHERE slug = :slug', { slug });
  await execute(db, 'UPDATE tenants SET plan_id = :id WHERE id = :tenantId', { id: plan?.id ?? null, tenantId });
}

/** A published key set. */
export interface PublishedKeys {
  readonly keys: readonly (Readonly<Record<string, string>> & { readonly kid: string })[];
}

export async function fetchKeys({ baseUrl }: Pick<TestServer, 'baseUrl'>): Promise<PublishedKeys> {
  return (await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as PublishedKeys;
}

export interface ReadToken {
  readonly header: { readonly alg: string; readonly kid: string; readonly typ: string };
  readonly claims: LaunchTokenClaims;
}

/** Returns the claims of a token without verification. */
export function readToken(token: string): ReadToken {
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return { header: JSON.parse(header), claims: JSON.parse(claims) };
}

/** Returns true if a key of the set signed the token. Uses only RSA and SHA-256 of Node, no verifier library. */
export function isSignedBy({ keys }: PublishedKeys, token: string): boolean {
  const jwk = keys.find(({ kid }) => kid === readToken(token).header.kid);
  if (!jwk) return false;
  const [header, claims, signature = ''] = token.split('.');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
}
