import { ALL_EVENT_TYPES } from '@plat/contract';
import { expect, test } from 'vitest';
import { createVerifier, verify } from './index.ts';
import { outcomeOf, outcomeOfAsync } from './outcome.fixture.ts';
import { type Flaw, signTestEvent } from './testing.ts';
import { createVerifier as createWebVerifier, verify as verifyOnWeb } from './web.ts';

const secret = 'whsec_equal';
const T = 1_800_000_000;
const good = signTestEvent('client.created', { secret, timestamp: T, data: { name: 'Größe – 尺寸 🚀' } });
const digest = good.signature.slice(good.signature.indexOf('v1='));

const bodies: unknown[] = [
  good.rawBody,
  good.body,
  good.rawBody.buffer,
  new DataView(good.rawBody.buffer),
  `${good.body}\n`,
  good.event,
  null,
  '',
  '\uD800',
  Uint8Array.of(0xff),
  signTestEvent('client.created', { secret, timestamp: T, flaw: 'BODY_NOT_UTF8' }).rawBody,
];

const signatures: unknown[] = [
  good.headers,
  new Headers(good.headers),
  good.signature,
  good.signature.toUpperCase(),
  `t=${T},${digest.toUpperCase().replace('V1', 'v1')}`,
  ` t=${T} , ${digest} `,
  `t=${T},v1=${'0'.repeat(64)},${digest}`,
  `t=${T},t=${T},${digest}`,
  `t=${T}`,
  `t=0${T},${digest}`,
  `t=${T - 300},${digest}`,
  `t=${T - 301},${digest}`,
  `t=${T + 301},${digest}`,
  `t=${T}000,${digest}`,
  [good.signature],
  { ...good.headers, 'x-platform-event': 'group.created' },
  { ...good.headers, 'x-platform-event-id': 'evt_x' },
  {},
  undefined,
  '',
  'x'.repeat(5000),
];

const keys: (string | string[])[] = [secret, ['whsec_old', secret], 'whsec_wrong', ` ${secret}`, []];

test('both entry points return the same outcome for every combination of body, signature and secrets', async () => {
  const seen = new Set<string>();
  for (const body of bodies) {
    for (const signed of signatures) {
      for (const secrets of keys) {
        const options = { secrets, now: () => T * 1000, tolerance: 300 };
        const here = outcomeOf(() => Reflect.apply(verify, undefined, [body, signed, options]));
        const there = await outcomeOfAsync(() => Reflect.apply(verifyOnWeb, undefined, [body, signed, options]));
        expect({ ...there, error: undefined }).toEqual({ ...here, error: undefined });
        seen.add(here.code);
      }
    }
  }
  expect([...seen].sort()).toMatchInlineSnapshot(`
    [
      "BODY_NOT_RAW",
      "BODY_NOT_UTF8",
      "EVENT_HEADER_MISMATCH",
      "SECRETS_MISSING",
      "SIGNATURE_MALFORMED",
      "SIGNATURE_MISMATCH",
      "SIGNATURE_MISSING",
      "SIGNATURE_REPEATED",
      "SIGNATURE_TOO_LONG",
      "TIMESTAMP_INVALID",
      "TIMESTAMP_IN_FUTURE",
      "TIMESTAMP_TOO_OLD",
      "ok",
    ]
  `);
});

test('both accept every event type, refuse every flaw with the same code, and agree on the signature alone', async () => {
  const flaws: (Flaw | undefined)[] = [
    undefined,
    'BODY_NOT_EVENT',
    'BODY_NOT_JSON',
    'TIMESTAMP_INVALID',
    'SIGNATURE_MISMATCH',
  ];
  const options = { secrets: secret, now: () => T * 1000 };
  const [here, there] = [createVerifier(options), createWebVerifier(options)];
  for (const type of ALL_EVENT_TYPES) {
    for (const flaw of flaws) {
      const { rawBody, headers } = signTestEvent(type, { secret, timestamp: T, flaw });
      const expected = outcomeOf(() => here.verify(rawBody, headers));
      expect(await outcomeOfAsync(() => there.verify(rawBody, headers))).toEqual(expected);
      const alone = outcomeOf(() => here.verifySignature(rawBody, headers));
      expect(await outcomeOfAsync(() => there.verifySignature(rawBody, headers))).toEqual(alone);
    }
  }
});

test('both refuse a digest with one wrong digit at any position', async () => {
  const options = { secrets: secret, now: () => T * 1000 };
  const [here, there] = [createVerifier(options), createWebVerifier(options)];
  for (let at = good.signature.length - 64; at < good.signature.length; at += 1) {
    const near = (Number.parseInt(good.signature.charAt(at), 16) ^ 1).toString(16);
    const signed = good.signature.slice(0, at) + near + good.signature.slice(at + 1);
    expect(outcomeOf(() => here.verify(good.body, signed)).code).toBe('SIGNATURE_MISMATCH');
    expect((await outcomeOfAsync(() => there.verify(good.body, signed))).code).toBe('SIGNATURE_MISMATCH');
  }
});

test('WebCrypto parses the verified bytes even if the caller changes the array meanwhile', async () => {
  const bytes = good.rawBody.slice();
  const verifier = createWebVerifier({ secrets: secret, now: () => T * 1000 });
  const pending = verifier.verify(bytes, good.headers);
  bytes.fill(0x20);
  expect(await pending).toEqual(good.event);
});

test('the web entry imports no module of Node', async () => {
  const { readFile } = await import('node:fs/promises');
  const visited = new Set<string>();
  const visit = async (url: URL): Promise<void> => {
    if (visited.has(url.href)) return;
    visited.add(url.href);
    const source = await readFile(url, 'utf8');
    expect(source, url.pathname).not.toMatch(
      /^(?:import|export) (?!type )[^']*'node:|import\('node:|(?<!pass )\bBuffer\./m,
    );
    for (const [, path = ''] of source.matchAll(/^(?:import|export) (?!type ).*? from '(\.[^']+)'/gms)) {
      await visit(new URL(path, url));
    }
  };
  for (const entry of ['./web.ts', './worker.ts', './adapters/next.ts', './adapters/hono.ts'])
    await visit(new URL(entry, import.meta.url));
  expect(visited.size).toBeGreaterThan(15);
});
