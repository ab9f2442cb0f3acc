import { constants, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '@plat/contract';
import { LaunchTokenError } from '../errors.ts';
import { publicJwk, testKeys } from './keys.ts';

/** Options of {@link startTestIssuer}. */
export interface TestIssuerOptions {
  /**
   * Issuer, which the receiver trusts: an http URL of this machine. Its port is listened on: on loopback, or on all
   * addresses if the host is another one. A free port of `127.0.0.1` when absent.
   */
  readonly url?: string | undefined;
}

/** A token to sign. */
export interface TestToken {
  /** Claims, as they are. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Parameters beside or instead of `alg`, `typ` and `kid`. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Key that signs; `current` when absent. `next` is published by `publishNextKey`, and `foreign` never. */
  readonly key?: 'current' | 'next' | 'foreign';
  /** Algorithm that signs; `RS256` when absent. */
  readonly algorithm?: 'RS256' | 'RS384' | 'RS512' | 'PS256';
}

/** An issuer of launch tokens for tests. It publishes its own keys as the platform does. */
export interface LaunchTestIssuer {
  /** Issuer that the receiver is configured with. */
  readonly url: string;
  /** The current public key in PEM, with which attackers sign by HMAC. */
  readonly publicKeyPem: string;
  /** Id of the current key. */
  readonly kid: string;
  /** Public key of an attacker as a JWK, under the id of the current key. */
  readonly foreignJwk: object;
  /** Number of requests for the key set so far. */
  readonly keySetRequests: number;
  /** Signs a token. */
  sign(token: TestToken): string;
  /** Adds the next key to the key set, as at a rotation. */
  publishNextKey(): void;
  /** Stops the server of the key set. */
  close(): Promise<void>;
  /** Stops the server of the key set. */
  [Symbol.asyncDispose](): Promise<void>;
}

const DIGESTS = { RS256: 'sha256', RS384: 'sha384', RS512: 'sha512', PS256: 'sha256' } as const;

/**
 * Starts an issuer on this machine, for a receiver of launch tokens in a test. Configure the receiver with its `url`.
 *
 * @throws {LaunchTokenError} `OPTION_INVALID` for a URL that is not http
 * @throws Error of Node.js when the port is not free
 */
export async function startTestIssuer({ url: given }: TestIssuerOptions = {}): Promise<LaunchTestIssuer> {
  const address = readAddress(given);
  const keys = await testKeys();
  const kids = { current: newKid(), next: newKid(), foreign: newKid() };
  const published = [publicJwk(keys.current, kids.current)];
  const foreignJwk = publicJwk(keys.foreign, kids.current);
  let keySetRequests = 0;
  let url = given ?? '';
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (path.endsWith('/.well-known/jwks.json')) {
      keySetRequests += 1;
      respond(request, response, { keys: published });
    } else if (path.endsWith('/.well-known/oauth-authorization-server')) {
      respond(request, response, { issuer: url, jwks_uri: `${url}/.well-known/jwks.json` });
    } else if (path.endsWith(FOREIGN_PATH)) {
      respond(request, response, { keys: [foreignJwk] });
    } else {
      response.writeHead(404).end();
    }
  });
  server.listen(address);
  await once(server, 'listening');
  if (given === undefined) url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    url,
    publicKeyPem: keys.current.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    kid: kids.current,
    foreignJwk,
    get keySetRequests() {
      return keySetRequests;
    },
    sign({ claims, header = {}, key = 'current', algorithm = 'RS256' }) {
      const input = `${encode({ alg: algorithm, typ: 'JWT', kid: kids[key], ...header })}.${encode(claims)}`;
      const padding = algorithm === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
      const privateKey = { key: keys[key].privateKey, padding };
      return `${input}.${sign(DIGESTS[algorithm], Buffer.from(input), privateKey).toString('base64url')}`;
    },
    publishNextKey() {
      if (published.length === 1) published.push(publicJwk(keys.next, kids.next));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Path of a key set that no receiver may fetch. */
export const FOREIGN_PATH = '/foreign/jwks.json';

/** Encodes a part of a token. */
export function encode(part: object | string): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

/** Returns where to listen; without a host on all addresses, of IPv6 too. */
function readAddress(url: string | undefined): { readonly port: number; readonly host?: string } {
  if (url === undefined) return { port: 0, host: '127.0.0.1' };
  if (!/^http:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new LaunchTokenError('OPTION_INVALID', 'url must be an http URL of this machine.');
  }
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { port: Number(port || 80), ...(['localhost', '127.0.0.1', '::1'].includes(host) && { host }) };
}

function newKid(): string {
  return randomUUID().slice(0, 18);
}

function respond({ method }: IncomingMessage, response: ServerResponse, body: object): void {
  const cache = `public, max-age=${LIMITS.jwksMaxAgeSeconds}`;
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': cache });
  response.end(method === 'HEAD' ? undefined : JSON.stringify(body));
}
