import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AUDIENCE, createSigningKey, header, ISSUER, mint, now } from '../issuer.fixture.ts';
import { outcomeOf } from '../outcome.fixture.ts';
import { createLaunchVerifier } from '../verifier.ts';
import { createLaunchVerifier as createWebVerifier } from '../web-verifier.ts';
import { readKeySet } from './rsa-jwk.ts';

const key = createSigningKey('key_1');
const { jwk } = key;
const short = createSigningKey('key_1', 2047);
const shorter = createSigningKey('key_1', 1024);
const good = createSigningKey('good');
const privateJwk = key.privateKey.export({ format: 'jwk' });

async function codes(...keys: unknown[]): Promise<string[]> {
  const jwks = JSON.stringify({ keys });
  const fetch = async (): Promise<Response> => new Response(jwks, { headers: { 'content-type': 'application/json' } });
  const options = { issuer: ISSUER, audience: AUDIENCE, fetch, now };
  const outcomes: string[] = [];
  for (const { verify } of [createLaunchVerifier(options), createWebVerifier(options)]) {
    // An unusable key in the set does not affect the others.
    for (const each of [key, good]) outcomes.push((await outcomeOf(() => verify(mint(each)))).code);
  }
  return outcomes;
}

const without = (name: string): object => Object.fromEntries(Object.entries(jwk).filter(([each]) => each !== name));
const zeroed = (part: unknown): string =>
  Buffer.concat([Buffer.alloc(1), Buffer.from(String(part), 'base64url')]).toString('base64url');
const even = (part: unknown): string => {
  const bytes = Buffer.from(String(part), 'base64url');
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) & 0xfe, bytes.length - 1);
  return bytes.toString('base64url');
};

describe('a published key', () => {
  test.each<[string, unknown]>([
    ['as the platform publishes it', jwk],
    ['without use and alg', Object.fromEntries(['kty', 'kid', 'n', 'e'].map((name) => [name, jwk[name]]))],
    ['with key_ops that verify', { ...jwk, key_ops: ['verify'] }],
    ['with members that mean nothing here', { ...jwk, x5t: 'a', nbf: 1, exp: 1 }],
  ])('%s is trusted', async (_, each) => {
    expect(await codes(each, good.jwk)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test.each<[string, unknown]>([
    ['of another kty', { ...jwk, kty: 'oct' }],
    [
      'that is an EC key',
      { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }), kid: 'key_1' },
    ],
    ['without kty', without('kty')],
    ['without kid', without('kid')],
    ['with an empty kid', { ...jwk, kid: '' }],
    ['with a number as kid', { ...jwk, kid: 1 }],
    ['for encryption', { ...jwk, use: 'enc' }],
    ['with a use of null', { ...jwk, use: null }],
    ['with key_ops that sign', { ...jwk, key_ops: ['sign'] }],
    ['without any key_ops', { ...jwk, key_ops: [] }],
    ['with key_ops that are no array', { ...jwk, key_ops: 'verify' }],
    ['for RS512', { ...jwk, alg: 'RS512' }],
    ['for PS256', { ...jwk, alg: 'PS256' }],
    ['with an alg of null', { ...jwk, alg: null }],
    ['with its private part', { ...privateJwk, kid: 'key_1' }],
    ['with a d of null', { ...jwk, d: null }],
    ['of 2047 bits', short.jwk],
    ['of 1024 bits', shorter.jwk],
    ['of 8200 bits', { ...jwk, n: Buffer.alloc(1025, 0xff).toString('base64url') }],
    ['of 64 KiB', { ...jwk, n: Buffer.alloc(65_535, 0xff).toString('base64url') }],
    ['with zeros before its modulus', { ...jwk, n: zeroed(jwk['n']) }],
    ['with zeros before its exponent', { ...jwk, e: zeroed(jwk['e']) }],
    ['with an even modulus', { ...jwk, n: even(jwk['n']) }],
    ['with an even exponent', { ...jwk, e: 'AQAA' }],
    ['with an exponent of 1', { ...jwk, e: 'AQ' }],
    ['with an exponent of 33 bits', { ...jwk, e: 'AQAAAAE' }],
    ['with an empty exponent', { ...jwk, e: '' }],
    ['without an exponent', without('e')],
    ['without a modulus', without('n')],
    ['with a modulus that is padded', { ...jwk, n: `${jwk['n']}==` }],
    [
      'with a modulus in another alphabet',
      { ...jwk, n: String(jwk['n']).replaceAll('-', '+').replaceAll('_', '/').replace(/^.{4}/, '$&+') },
    ],
    ['with a number as modulus', { ...jwk, n: 65_537 }],
    ['that is null', null],
    ['that is a string', 'key_1'],
    ['that is an array', [jwk]],
  ])('%s is skipped, and the others are not', async (_, each) => {
    expect(await codes(each, good.jwk)).toEqual(['KEY_UNKNOWN', 'ok', 'KEY_UNKNOWN', 'ok']);
  });

  test('whose kid appears twice is not trusted, nor is the other key, nor a third', async () => {
    const other = createSigningKey('key_1');
    expect(await codes(jwk, good.jwk, other.jwk)).toEqual(['KEY_UNKNOWN', 'ok', 'KEY_UNKNOWN', 'ok']);
    expect(await codes(jwk, good.jwk, jwk)).toEqual(['KEY_UNKNOWN', 'ok', 'KEY_UNKNOWN', 'ok']);
    expect(readKeySet(JSON.stringify({ keys: [jwk, jwk, jwk] }))).toEqual([]);
  });

  test.each([3072, 4096, 8192])('of %i bits is trusted', async (bits) => {
    // A modulus of this size without its primes, because a real key is slow to generate. Only reading it is tested.
    const n = Buffer.alloc(bits / 8, 0xff).toString('base64url');
    expect(readKeySet(JSON.stringify({ keys: [{ ...jwk, n }] }))).toHaveLength(1);
  });
});

test('a kid like an inherited property name finds no key', async () => {
  const fetch = async (): Promise<Response> =>
    new Response('{"keys":[]}', { headers: { 'content-type': 'application/json' } });
  const { verify } = createLaunchVerifier({ issuer: ISSUER, audience: AUDIENCE, fetch, now });
  for (const kid of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    expect((await outcomeOf(() => verify(mint(key, { header: header(key, { kid }) })))).code).toBe('KEY_UNKNOWN');
  }
});
