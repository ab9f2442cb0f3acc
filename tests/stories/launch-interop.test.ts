import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LaunchWorld, launchWorld, readToken } from '../support/launch.ts';
import { launchPeers, pyJwt, type Receiver } from '../support/launch-peers.ts';
import { hasPyJwt } from '../support/python.ts';
import { useServer } from '../support/story.ts';

/* Launch tokens of the platform, verified by libraries of other authors, and by ours. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let world: LaunchWorld;
let token: string;
let receiver: Receiver;

const peers = Object.entries({ ...launchPeers, ...(hasPyJwt() ? { PyJWT: pyJwt } : {}) });

beforeAll(async () => {
  world = await launchWorld(story.server);
  const { tenantId, ownerId, clients, groupId } = world;
  token = await story.server.launch({
    moduleSlug: 'analytics',
    tenantId,
    userId: ownerId,
    clientId: clients[0],
    groupId,
  });
  const { iss, aud } = readToken(token).claims;
  receiver = { issuer: iss, audience: aud, jwksUri: `${story.server.baseUrl}/.well-known/jwks.json` };
});

describe.each(peers)('%s', (_, verify) => {
  test('reads the claims of a launch token', async () => {
    const { claims } = readToken(token);
    expect(claims).toMatchObject({
      tenant: world.tenantId,
      user: world.ownerId,
      client: world.clients[0],
      groupId: world.groupId,
      entitlements: expect.arrayContaining(['analytics:read']),
    });
    expect(await verify(token, receiver)).toEqual(claims);
  });

  test('refuses a token for another audience, of another issuer, or changed', async () => {
    const [header, , signature] = token.split('.');
    const { claims } = readToken(token);
    const changed = Buffer.from(JSON.stringify({ ...claims, role: 'admin' })).toString('base64url');
    await expect(verify(token, { ...receiver, audience: 'another' })).rejects.toThrow();
    await expect(verify(token, { ...receiver, issuer: 'https://other.example.com' })).rejects.toThrow();
    await expect(verify(`${header}.${changed}.${signature}`, receiver)).rejects.toThrow();
  });

  test('refuses a token that an unknown key signed', async () => {
    const { header, claims } = readToken(token);
    const { privateKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    );
    const forged = await new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey);
    await expect(verify(forged, receiver)).rejects.toThrow();
  });
});
