import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { webhookHandler } from './adapters/web.ts';
import { createDedupe, createVerifier, type SecretLookup, type WebhookEvent, WebhookResolverError } from './index.ts';
import { outcomeOfAsync } from './outcome.fixture.ts';
import { signTestEvent } from './testing.ts';
import { createVerifier as createWebVerifier } from './web.ts';

const T = 1_800_000_000;
const now = () => T * 1000;
const [TENANT_A, TENANT_B] = ['tnt_a', 'tnt_b'];
const secretsOf: Record<string, string> = { tnt_a: 'whsec_a', tnt_b: 'whsec_b' };
const sign = (tenantId: string, secret: string) => signTestEvent('client.created', { tenantId, secret, timestamp: T });

/** Signs any text, as the owner of an endpoint can. */
async function signText(body: string, secret: string) {
  const { signDelivery } = await import('./index.ts');
  return {
    rawBody: body,
    headers: { 'x-platform-signature': signDelivery({ body, secrets: [secret], timestamp: T }) },
  };
}

type Secrets = Parameters<typeof createWebVerifier>[0]['secrets'];
const verifiers: Record<string, (secrets: Secrets) => ReturnType<typeof createWebVerifier>> = {
  Node: (secrets) => {
    const verifier = createVerifier({ secrets, now });
    return {
      verify: async (...given) => verifier.verify(...given),
      verifyDelivery: async (...given) => verifier.verifyDelivery(...given),
      verifySignature: async (...given) => verifier.verifySignature(...given),
    };
  },
  WebCrypto: (secrets) => createWebVerifier({ secrets, now }),
};

describe.each(Object.entries(verifiers))('on %s', (_, make) => {
  const codeOf = async (secrets: Secrets, { rawBody, headers }: { rawBody: string | Uint8Array; headers: object }) =>
    (await outcomeOfAsync(() => make(secrets).verify(rawBody, { ...headers }))).code;

  test('an unbound list of secrets lets tenant A sign an event of tenant B: the reason for a resolver', async () => {
    expect(await codeOf(Object.values(secretsOf), sign(TENANT_B, 'whsec_a'))).toBe('ok');
  });

  test('with a resolver the secret of tenant A cannot sign an event of tenant B', async () => {
    const resolver = ({ tenantId }: SecretLookup) => secretsOf[tenantId];
    for (const secrets of [resolver, async (lookup: SecretLookup) => resolver(lookup)]) {
      expect(await codeOf(secrets, sign(TENANT_A, 'whsec_a'))).toBe('ok');
      expect(await codeOf(secrets, sign(TENANT_B, 'whsec_b'))).toBe('ok');
      expect(await codeOf(secrets, sign(TENANT_B, 'whsec_a'))).toBe('SIGNATURE_MISMATCH');
      expect(await codeOf(secrets, sign('tnt_c', 'whsec_a'))).toBe('SECRET_NOT_FOUND');
    }
  });

  test('entries with a tenantId are bound to it, and entries without one are accepted for any tenant', async () => {
    const bound = [
      { secret: 'whsec_a', tenantId: TENANT_A },
      { secret: 'whsec_b', tenantId: TENANT_B },
    ];
    expect(await codeOf(bound, sign(TENANT_A, 'whsec_a'))).toBe('ok');
    expect(await codeOf(bound, sign(TENANT_B, 'whsec_a'))).toBe('TENANT_MISMATCH');
    expect(await codeOf(bound, sign('tnt_c', 'whsec_a'))).toBe('TENANT_MISMATCH');
    expect(await codeOf(bound, sign('tnt_c', 'whsec_c'))).toBe('SECRET_NOT_FOUND');
    expect(await codeOf([...bound, 'whsec_any'], sign('tnt_c', 'whsec_any'))).toBe('ok');
    const shared = [...bound, { secret: 'whsec_a', tenantId: TENANT_B }];
    expect(await codeOf(shared, sign(TENANT_B, 'whsec_a'))).toBe('ok');
  });

  test('the bindings of entries also apply to a resolver that returns the entries of all tenants', async () => {
    const careless = () => Object.entries(secretsOf).map(([tenantId, secret]) => ({ secret, tenantId }));
    expect(await codeOf(careless, sign(TENANT_B, 'whsec_b'))).toBe('ok');
    expect(await codeOf(careless, sign(TENANT_B, 'whsec_a'))).toBe('TENANT_MISMATCH');
  });

  test('an event of an app is refused under the secret of its tenant, and accepted under the secret of the endpoint', async () => {
    const event = { ...sign(TENANT_A, 'whsec_a').event, type: 'installation.revoked', app_id: 'app_1' };
    const given = await signText(JSON.stringify(event), 'whsec_a');
    expect(await codeOf(({ tenantId }: SecretLookup) => secretsOf[tenantId], given)).toBe('TENANT_MISMATCH');
    expect(await codeOf([{ secret: 'whsec_a', tenantId: TENANT_A }], given)).toBe('TENANT_MISMATCH');
    expect(await codeOf('whsec_a', given)).toBe('ok');
  });

  test('a body that names two tenants is refused under either secret', async () => {
    const resolver = vi.fn(({ tenantId }: SecretLookup) => secretsOf[tenantId]);
    const event = JSON.stringify(sign(TENANT_A, 'whsec_a').event);
    const twice = event.replace('"data":', '"tenant_id":"tnt_b","data":');
    const escaped = event.replace('"tenant_id":"tnt_a"', '"tenant_id":"tnt_a","\\u0074enant_id":"tnt_b"');
    for (const body of [twice, escaped]) {
      expect(JSON.parse(body).tenant_id).toBe(TENANT_B);
      const { rawBody, headers } = await signText(body, 'whsec_a');
      expect((await outcomeOfAsync(() => make(resolver).verify(rawBody, headers))).code).toBe('TENANT_MISMATCH');
      expect((await outcomeOfAsync(() => make(resolver).verifySignature(rawBody, headers))).code).toBe(
        'TENANT_MISMATCH',
      );
    }
  });

  test('verifySignature also reads the tenant of the event when any secret is bound', async () => {
    const any = { secret: 'whsec_any' };
    const bound = { secret: 'whsec_a', tenantId: TENANT_A };
    const codeOfSignature = async (body: string, secret: string) => {
      const { rawBody, headers } = await signText(body, secret);
      const codes: string[] = [];
      for (const secrets of [[bound], [any, bound]])
        codes.push((await outcomeOfAsync(() => make(secrets).verifySignature(rawBody, headers))).code);
      return codes;
    };
    const event = JSON.stringify(sign(TENANT_A, 'whsec_a').event);
    expect(await codeOfSignature(event, 'whsec_a')).toEqual(['ok', 'ok']);
    const mismatch = ['TENANT_MISMATCH', 'TENANT_MISMATCH'];
    expect(await codeOfSignature(event.replace(TENANT_A, TENANT_B), 'whsec_a')).toEqual(mismatch);
    const twice = event.replace('"data":', '"tenant_id":"tnt_b","data":');
    expect(await codeOfSignature(twice, 'whsec_a')).toEqual(mismatch);
    const ofApp = event.replace('"data":', '"app_id":"app_1","data":');
    expect(await codeOfSignature(ofApp, 'whsec_a')).toEqual(mismatch);
  });

  test('the search for the tenant that signed is bounded: 64 secrets and 1 MiB', async () => {
    const bound = Array.from({ length: 65 }, (_, at) => ({ secret: `whsec_${at}`, tenantId: `tnt_${at}` }));
    expect(await codeOf(bound, sign('tnt_x', 'whsec_63'))).toBe('TENANT_MISMATCH');
    expect(await codeOf(bound, sign('tnt_x', 'whsec_64'))).toBe('SECRET_NOT_FOUND');
    const large = `{"tenant_id":"tnt_x","data":"${'a'.repeat(600 * 1024)}"}`;
    expect(await codeOf(bound, await signText(large, 'whsec_0'))).toBe('TENANT_MISMATCH');
    expect(await codeOf(bound, await signText(large, 'whsec_1'))).toBe('SECRET_NOT_FOUND');
  });

  test.each<[string, string, string | undefined]>([
    ['in an inner object', '{"data":{"tenant_id":"tnt_b"},"tenant_id":"tnt_a"}', 'tnt_a'],
    ['in a string', '{"id":"\\"tenant_id\\":\\"tnt_b\\",","tenant_id":"tnt_a"}', 'tnt_a'],
    ['behind a backslash', '{"id":"\\\\","tenant_id":"tnt_a"}', 'tnt_a'],
    ['as a value', '{"id":"tenant_id","tenant_id":"tnt_a"}', 'tnt_a'],
    ['with spaces', '\n{ "tenant_id"\t:\r\n "tnt_a" }', 'tnt_a'],
    ['escaped', '{"tenant_id":"tnt_\\u0061"}', undefined],
    ['that is a path', '{"tenant_id":"tnt_../../b"}', undefined],
    ['that is a pattern', '{"tenant_id":"tnt_%"}', undefined],
    ['that is too long', `{"tenant_id":"tnt_${'a'.repeat(125)}"}`, undefined],
    ['of another kind', '{"tenant_id":"usr_a"}', undefined],
    ['that is a number', '{"tenant_id":5}', undefined],
    ['that never ends', '{"tenant_id":"tnt_a', undefined],
    ['in an array', '[{"tenant_id":"tnt_a"}]', undefined],
    ['that is absent', '{}', undefined],
    ['in no JSON at all', 'tenant_id', undefined],
    ['in nothing', '', undefined],
  ])('tenant_id %s: the resolver is called for the right tenant or not at all', async (_title, body, expected) => {
    const asked = vi.fn(({ tenantId }: SecretLookup): string | undefined => void tenantId);
    const { rawBody, headers } = await signText(body, 'whsec_a');
    const { code, hint } = await outcomeOfAsync(() => make(asked).verify(rawBody, headers));
    if (expected === undefined) {
      expect(code).toBe('BODY_NOT_EVENT');
      expect(hint).toMatch(/signature was not checked|is empty/);
      expect(asked).not.toHaveBeenCalled();
    } else {
      expect(code).toBe('SECRET_NOT_FOUND');
      expect(asked).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ tenantId: expected }));
    }
  });

  test('the resolver receives url and headers, and is not called for a malformed or stale delivery', async () => {
    const asked = vi.fn(({ headers, url }: SecretLookup) => {
      expect(headers.get('X-Platform-Event')).toBe('client.created');
      expect(headers.get('x-nothing')).toBeUndefined();
      expect(url).toBe('/hooks/a?x=1');
      return 'whsec_a';
    });
    const verifier = make(asked);
    const { rawBody, headers } = sign(TENANT_A, 'whsec_a');
    for (const shape of [headers, new Headers(headers), Object.entries(headers)]) {
      await verifier.verify(rawBody, shape, { url: '/hooks/a?x=1' });
    }
    expect(asked).toHaveBeenCalledTimes(3);
    for (const flaw of ['TIMESTAMP_TOO_OLD', 'SIGNATURE_MISSING', 'SIGNATURE_MALFORMED'] as const) {
      const flawed = signTestEvent('client.created', { secret: 'whsec_a', timestamp: T, flaw });
      expect((await outcomeOfAsync(() => verifier.verify(flawed.rawBody, flawed.headers))).code).toBe(flaw);
    }
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test('with 1,000 tenants a delivery costs one look-up', async () => {
    const all = new Map(Array.from({ length: 1000 }, (_each, at) => [`tnt_${at}`, `whsec_${at}`]));
    const asked = vi.fn(({ tenantId }: SecretLookup) => all.get(tenantId));
    const verifier = make(asked);
    for (const at of [0, 500, 999]) {
      const { rawBody, headers, event } = sign(`tnt_${at}`, `whsec_${at}`);
      expect(await verifier.verify(rawBody, headers)).toEqual(event);
    }
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test('the matching secret is returned by position and label', async () => {
    const { rawBody, headers, event } = sign(TENANT_A, 'whsec_a');
    const rotating = ['whsec_next', { secret: 'whsec_a', id: 'before the rotation' }];
    expect(await make(rotating).verifyDelivery(rawBody, headers)).toEqual({
      event,
      timestamp: T,
      secret: { index: 1, id: 'before the rotation', tenantId: undefined },
    });
    const { secret } = await make(() => rotating).verifyDelivery(rawBody, headers);
    expect(secret).toEqual({ index: 1, id: 'before the rotation', tenantId: TENANT_A });
    expect(JSON.stringify(secret)).not.toContain('whsec_');
    expect((await make(['whsec_a', 'whsec_a']).verifyDelivery(rawBody, headers)).secret.index).toBe(0);
  });

  test('a resolver that throws or rejects causes a WebhookResolverError, which says that the tenant is unverified', async () => {
    const cause = new Error('database down');
    const { rawBody, headers } = sign(TENANT_A, 'whsec_a');
    const failing: Secrets[] = [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ];
    for (const secrets of failing) {
      const { code, error } = await outcomeOfAsync(() => make(secrets).verify(rawBody, headers));
      expect(code).toBe('RESOLVER_FAILED');
      expect(error).toBeInstanceOf(WebhookResolverError);
      expect(error).toMatchObject({ cause, message: expect.stringMatching(/tnt_a.*unverified/) });
    }
  });

  test.each([undefined, null, []])('a resolver that returns %j means an unknown tenant', async (nothing) => {
    expect(await codeOf(() => nothing, sign(TENANT_A, 'whsec_a'))).toBe('SECRET_NOT_FOUND');
  });

  test.each<[string, unknown, string]>([
    ['an empty secret', '', 'SECRET_INVALID'],
    ['a blank secret', ' \n', 'SECRET_INVALID'],
    ['a number', 5, 'SECRET_INVALID'],
    ['a secret that is undefined', [undefined], 'SECRETS_MISSING'],
    ['an entry without a secret', { tenantId: TENANT_A }, 'SECRET_INVALID'],
    ['a misspelt binding', { secret: 'whsec_a', tenant_id: TENANT_A }, 'OPTION_INVALID'],
    ['a binding to nothing', { secret: 'whsec_a', tenantId: undefined }, 'OPTION_INVALID'],
    ['a label that is empty', { secret: 'whsec_a', id: '' }, 'OPTION_INVALID'],
  ])('%s is refused, at creation or from a resolver', async (_title, wrong, code) => {
    const { rawBody, headers } = sign(TENANT_A, 'whsec_a');
    const attempt = (secrets: unknown) =>
      outcomeOfAsync(async () => Reflect.apply(make, undefined, [secrets]).verify(rawBody, headers));
    expect(await attempt(wrong)).toMatchObject({ code, name: 'WebhookConfigurationError' });
    expect(await attempt(() => wrong)).toMatchObject({ code, name: 'WebhookConfigurationError' });
  });

  test('a base64 body is reported before its tenant is read', async () => {
    const { body, headers } = sign(TENANT_A, 'whsec_a');
    const { code, hint } = await outcomeOfAsync(() => make(() => 'whsec_a').verify(btoa(body), headers));
    expect([code, hint]).toEqual(['BODY_NOT_EVENT', expect.stringMatching(/isBase64Encoded/)]);
  });
});

describe('verifySync', () => {
  const { rawBody, headers, event } = sign(TENANT_A, 'whsec_a');

  test('verifies synchronously with a synchronous resolver, bound to the tenant', () => {
    const verifier = createVerifier({ secrets: ({ tenantId }) => secretsOf[tenantId], now });
    expectTypeOf(verifier.verify).returns.toEqualTypeOf<Promise<WebhookEvent>>();
    expect(verifier.verifySync(rawBody, headers)).toEqual(event);
    const forged = sign(TENANT_B, 'whsec_a');
    expect(() => verifier.verifySync(forged.rawBody, forged.headers)).toThrow(
      expect.objectContaining({ code: 'SIGNATURE_MISMATCH' }),
    );
  });

  test('refuses a resolver that returns a promise, and handles its rejection', () => {
    for (const answer of [Promise.resolve('whsec_a'), Promise.reject(new Error('later'))]) {
      const verifier = createVerifier({ secrets: () => answer, now });
      expect(() => verifier.verifySync(rawBody, headers)).toThrow(expect.objectContaining({ code: 'RESOLVER_ASYNC' }));
    }
  });

  test('refuses a delivery of a tenant for which the resolver returns null', () => {
    const verifier = createVerifier({ secrets: () => null, now });
    expect(() => verifier.verifySync(rawBody, headers)).toThrow(expect.objectContaining({ code: 'SECRET_NOT_FOUND' }));
  });

  test('verify with fixed secrets is synchronous', () => {
    expectTypeOf(createVerifier({ secrets: 'whsec_a' }).verify).returns.toEqualTypeOf<WebhookEvent>();
    expect(
      createVerifier({ secrets: [{ secret: 'whsec_a', tenantId: TENANT_A }], now }).verify(rawBody, headers),
    ).toEqual(event);
  });
});

test.each([
  ['of the README', true],
  ['by id', false],
])('with claims %s, the event of a tenant that another tenant claimed before is handled: %s', async (_, isBound) => {
  const claims = createDedupe();
  const bound = { ...claims, claim: (event: WebhookEvent) => claims.claim({ id: `${event.tenant_id}/${event.id}` }) };
  const handled: string[] = [];
  const receive = webhookHandler(
    { secrets: ({ tenantId }) => secretsOf[tenantId], dedupe: isBound ? bound : claims, now },
    (event) => void handled.push(event.tenant_id),
  );
  for (const tenantId of ['tnt_a', 'tnt_b', 'tnt_b']) {
    const given = { id: 'evt_1', tenantId, secret: secretsOf[tenantId] ?? '', timestamp: T };
    await receive(signTestEvent('client.created', given).toRequest());
  }
  expect(handled).toEqual(isBound ? ['tnt_a', 'tnt_b'] : ['tnt_a']);
});
