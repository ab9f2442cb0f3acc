import { verify } from 'node:crypto';
import { createLaunchVerifier } from '@plat/launch-token';
import { createLaunchVerifier as createWebVerifier } from '@plat/launch-token/web-crypto';
import { JwtVerifier } from 'aws-jwt-verify';
import { auth } from 'express-oauth2-jwt-bearer';
import { createVerifier } from 'fast-jwt';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import jsonwebtoken from 'jsonwebtoken';
import { JwksClient } from 'jwks-rsa';
import type { Launch } from './token.ts';

/** Names between which ratios are formed. */
export const NAMES = {
  limit: 'crypto.verify alone',
  sync: '@plat/launch-token verifySync',
  verify: '@plat/launch-token verify',
  pooled: '@plat/launch-token verify, pooled',
  web: '@plat/launch-token/web-crypto verify',
  jose: 'jose jwtVerify',
  awsSync: 'aws-jwt-verify verifySync',
  aws: 'aws-jwt-verify verify',
} as const;

/** A verifier that takes a token and returns its user. */
export interface Verifier {
  readonly name: string;
  /** The user of the token. */
  verify(): string | Promise<string>;
}

/** Our verifier, the limit and the peers, each with loaded keys and without a cache of whole tokens. */
export function verifiersOf(launch: Launch): { readonly sync: Verifier[]; readonly async: Verifier[] } {
  const { token, jwksUri, jwks, publicKey, claims } = launch;
  const { iss: issuer, aud: audience, user } = claims;
  const ours = createLaunchVerifier({ issuer, audience, jwksUri });
  const pooled = createLaunchVerifier({ issuer, audience, jwksUri, pooled: true });
  const web = createWebVerifier({ issuer, audience, jwksUri });
  const remote = createRemoteJWKSet(new URL(jwksUri));
  const aws = JwtVerifier.create({ issuer, audience, jwksUri });
  // It fetches over https only.
  aws.cacheJwks(jwks as unknown as Parameters<typeof aws.cacheJwks>[0]);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const fastOptions = { algorithms: ['RS256' as const], allowedIss: issuer, allowedAud: audience, cache: false };
  const fast = createVerifier({ ...fastOptions, key: pem });
  const fastAsync = createVerifier({ ...fastOptions, key: async () => pem });
  const jwksRsa = new JwksClient({ jwksUri });

  const end = token.lastIndexOf('.');
  const input = Buffer.from(token.slice(0, end));
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const bare = (): string => {
    if (!verify('sha256', input, publicKey, signature)) throw new Error('a good signature was refused');
    return user;
  };
  return {
    sync: [
      { name: NAMES.limit, verify: bare },
      { name: NAMES.sync, verify: () => ours.verifySync(token).user },
      { name: NAMES.awsSync, verify: () => userOf(aws.verifySync(token)) },
      { name: 'fast-jwt, key given', verify: () => userOf(fast(token)) },
    ],
    async: [
      { name: NAMES.limit, verify: async () => bare() },
      { name: NAMES.verify, verify: async () => (await ours.verify(token)).user },
      { name: NAMES.pooled, verify: async () => (await pooled.verify(token)).user },
      { name: NAMES.web, verify: async () => (await web.verify(token)).user },
      { name: NAMES.jose, verify: async () => userOf((await jwtVerify(token, remote, { issuer, audience })).payload) },
      { name: NAMES.aws, verify: async () => userOf(await aws.verify(token)) },
      { name: 'fast-jwt', verify: async () => userOf(await fastAsync(token)) },
      { name: 'jsonwebtoken + jwks-rsa', verify: () => verifyByJsonwebtoken(token, jwksRsa, { issuer, audience }) },
      {
        name: 'express-oauth2-jwt-bearer',
        verify: byExpress(token, auth({ issuer, audience, jwksUri, tokenSigningAlg: 'RS256' })),
      },
    ],
  };
}

type Expected = Readonly<Record<'issuer' | 'audience', string>>;

function verifyByJsonwebtoken(token: string, keys: JwksClient, { issuer, audience }: Expected): Promise<string> {
  return new Promise((resolve, reject) => {
    jsonwebtoken.verify(
      token,
      ({ kid }, callback) => {
        keys.getSigningKey(kid).then(
          (key) => callback(null, key.getPublicKey()),
          (error: Error) => callback(error),
        );
      },
      { algorithms: ['RS256'], issuer, audience },
      (error, payload) => (error ? reject(error) : resolve(userOf(payload))),
    );
  });
}

/** The middleware alone, with the parts of a request that it reads. */
function byExpress(token: string, middleware: ReturnType<typeof auth>): () => Promise<string> {
  const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1' };
  const request = {
    headers,
    query: {},
    body: undefined,
    method: 'POST',
    protocol: 'http',
    originalUrl: '/',
    is: () => false,
    get: () => '127.0.0.1',
  };
  return async () => {
    const own = { ...request, auth: { payload: {} } };
    // Its type declares more than it reads.
    const [req, res] = [own, {}] as unknown as [Parameters<typeof middleware>[0], Parameters<typeof middleware>[1]];
    await new Promise<void>((resolve, reject) => middleware(req, res, (error) => (error ? reject(error) : resolve())));
    return userOf(own.auth.payload);
  };
}

function userOf(payload: unknown): string {
  const user = typeof payload === 'object' && payload !== null && 'user' in payload ? payload.user : undefined;
  if (typeof user !== 'string') throw new Error('a good token was refused');
  return user;
}
