import { spawnSync } from 'node:child_process';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLaunchVerifier } from '@plat/launch-token';
import { createLaunchVerifier as createWebVerifier } from '@plat/launch-token/web-crypto';
import { JwtVerifier } from 'aws-jwt-verify';
import express from 'express';
import { auth } from 'express-oauth2-jwt-bearer';
import { createVerifier } from 'fast-jwt';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { PYTHON } from './find-servers.ts';

/** Settings of a receiver of launch tokens. */
export interface Receiver {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUri: string;
}

/** Returns the claims of a token, or throws. */
export type Peer = (token: string, receiver: Receiver) => Promise<unknown>;

/** Unmodified third-party libraries with the settings of their documentation, and our verifier. */
export const launchPeers: Readonly<Record<string, Peer>> = {
  '@plat/launch-token': (token, receiver) => createLaunchVerifier(receiver).verify(token),
  '@plat/launch-token, at once': async (token, receiver) => {
    const verifier = createLaunchVerifier(receiver);
    await verifier.hydrate();
    return verifier.verifySync(token);
  },
  '@plat/launch-token/web-crypto': (token, receiver) => createWebVerifier(receiver).verify(token),
  jose: async (token, { jwksUri, ...expected }) => {
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(jwksUri)), {
      ...expected,
      algorithms: ['RS256'],
    });
    return payload;
  },
  'aws-jwt-verify': async (token, receiver) => {
    const verifier = JwtVerifier.create(receiver);
    // By default it fetches over https only.
    verifier.cacheJwks(await fetchJson(receiver.jwksUri));
    return verifier.verify(token);
  },
  'fast-jwt': async (token, { issuer, audience, jwksUri }) => {
    const { keys } = await fetchJson<{ keys: (JsonWebKey & { kid: string })[] }>(jwksUri);
    const verify = createVerifier({
      key: async ({ header }: { header: { kid?: string } }) => {
        const jwk = keys.find(({ kid }) => kid === header.kid);
        if (!jwk) throw new Error('no such key');
        return createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
      },
      algorithms: ['RS256'],
      allowedIss: issuer,
      allowedAud: audience,
    });
    return await verify(token);
  },
  'express-oauth2-jwt-bearer': verifyByExpress,
};

async function fetchJson<T>(url: string): Promise<T> {
  // The calling library checks the content.
  return (await (await fetch(url)).json()) as T;
}

/** Runs a middleware behind a real request. */
async function verifyByExpress(token: string, { issuer, audience, jwksUri }: Receiver): Promise<unknown> {
  const app = express().use(auth({ issuer, audience, jwksUri, tokenSigningAlg: 'RS256' }), (request, response) => {
    response.json(request.auth?.payload);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${answer.status} ${answer.headers.get('www-authenticate')}`);
    return await answer.json();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const PROGRAM = `
import json, sys, jwt
asked = json.load(sys.stdin)
keys = jwt.PyJWKSet.from_json(asked["jwks"])
key = next(each for each in keys.keys if each.key_id == jwt.get_unverified_header(asked["token"])["kid"])
print(json.dumps(jwt.decode(asked["token"], key.key, algorithms=["RS256"], audience=asked["audience"], issuer=asked["issuer"])))
`;

/** PyJWT in a Python process. The key set is fetched here: Python must not wait for a server in this process. */
export const pyJwt: Peer = async (token, { jwksUri, ...expected }) => {
  const jwks = await (await fetch(jwksUri)).text();
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', PROGRAM], {
    input: JSON.stringify({ token, jwks, ...expected }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1));
  return JSON.parse(stdout);
};
