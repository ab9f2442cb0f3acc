import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LaunchClaims } from '@plat/launch-token';
import { SignJWT } from 'jose';

const KID = 'k_01k9zq3v5h6x8m2n4p7r9t1w3y';

/** A launch token of the platform with the settings of its receivers. */
export interface Launch {
  readonly token: string;
  readonly claims: LaunchClaims;
  readonly publicKey: KeyObject;
  readonly jwks: { readonly keys: [Record<string, string>] };
  readonly jwksUri: string;
  stop(): void;
}

/** Issues a token now, and publishes its key as the platform does. */
export async function startLaunch(): Promise<Launch> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const claims = claimsNow();
  const header = { alg: 'RS256', kid: KID, typ: 'JWT' };
  const token = await new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey);
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const jwks: Launch['jwks'] = { keys: [{ kty: 'RSA', n, e, kid: KID, alg: 'RS256', use: 'sig' }] };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' });
    response.end(JSON.stringify(jwks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    token,
    claims,
    publicKey,
    jwks,
    jwksUri: `http://127.0.0.1:${port}/.well-known/jwks.json`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function claimsNow(): LaunchClaims {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: 'https://platform.example.com',
    aud: 'https://analytics.example.com',
    iat,
    exp: iat + 900,
    tenant: 'tnt_01k9zq3v5h6x8m2n4p7r9t1w3y',
    client: 'cli_01k9zq3v5h6x8m2n4p7r9t1w3y',
    user: 'usr_01k9zq3v5h6x8m2n4p7r9t1w3y',
    role: 'member',
    entitlements: ['analytics:export', 'analytics:read', 'orders:manage', 'orders:read'],
    groupId: 'grp_01k9zq3v5h6x8m2n4p7r9t1w3y',
    groupMemberships: [{ id: 'grp_01k9zq3v5h6x8m2n4p7r9t1w3y', name: 'Northern harbours', isOwner: false }],
  };
}
