import { gzipSync } from 'node:zlib';
import { DEVICE_PATHS, LIMITS } from '@plat/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type RawAnswer, sendRaw } from '../support/raw-request.ts';
import { useServer } from '../support/story.ts';

/* Input that costs the server more than it costs the sender. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let apiKey: string;
let api: Api;

beforeAll(async () => {
  ({ apiKey } = await story.server.createTenant());
  api = apiOf(story.server.baseUrl, apiKey);
});

/** Maximum size of the response to a refused request, in bytes. */
const ANSWER_BYTES = 16 * 1024;

const JSON_TYPE: readonly [string, string] = ['Content-Type', 'application/json'];
const FORM_TYPE: readonly [string, string] = ['Content-Type', 'application/x-www-form-urlencoded'];

function post(path: string, body: string | Buffer, ...headers: (readonly [string, string])[]): Promise<RawAnswer> {
  const sent = headers.length > 0 ? headers : [JSON_TYPE];
  return sendRaw(story.server.baseUrl, { method: 'POST', path, headers: sent, body: Buffer.from(body) });
}

function postV1(path: string, body: string | Buffer, type = 'application/json'): Promise<RawAnswer> {
  return post(path, body, ['Content-Type', type], ['Authorization', `Bearer ${apiKey}`]);
}

const manyFields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 0])));

function expectSmall(answer: RawAnswer, code: string): void {
  expect(JSON.parse(answer.text)).toMatchObject({ code });
  expect(Buffer.byteLength(answer.text)).toBeLessThan(ANSWER_BYTES);
  expect(JSON.parse(answer.text).errors?.length ?? 0).toBeLessThanOrEqual(LIMITS.fieldErrors.max);
}

describe('a request without a credential', () => {
  test.each([DEVICE_PATHS.code, DEVICE_PATHS.token])('may have a body of at most 16 KiB: %s', async (path) => {
    const { status, text } = await post(path, `{"device_code":"${'x'.repeat(17 * 1024)}"}`);
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', error: expect.any(String) });
  });

  test('with more fields than any operation has is refused as a whole', async () => {
    expectSmall(await post(DEVICE_PATHS.token, manyFields(1_500)), 'INVALID_BODY');
  });

  test.each(['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/invitations/accept'])(
    'with a form of thousands of fields is refused as a whole: %s',
    async (path) => {
      const names = Array.from({ length: 3_000 }, (_, i) => `f${i.toString(36)}`);
      const answer = await post(path, names.join('&'), FORM_TYPE, ['Accept', 'application/json']);
      expectSmall(answer, 'INVALID_REQUEST');
      const twice = await post(path, 'a&'.repeat(8_000), FORM_TYPE, ['Accept', 'application/json']);
      expectSmall(twice, 'INVALID_REQUEST');
    },
  );
});

describe('a body', () => {
  test.each(['/v1/clients', '/v1/webhooks/endpoints', '/v1/roles'])(
    'with 20,000 unknown fields is refused as a whole: %s',
    async (path) => {
      const answer = await postV1(path, manyFields(20_000));
      expectSmall(answer, 'INVALID_BODY');
      expect(JSON.parse(answer.text).errors).toEqual([{ path: '', message: expect.stringMatching(/fields/) }]);
    },
  );

  test.each([
    ['/v1/webhooks/endpoints', 'events', { url: 'https://example.com/' }],
    ['/v1/webhooks/replays', 'event_types', { since: '2026-01-01T00:00:00Z' }],
    ['/v1/roles', 'capabilities', { name: 'auditor', title: 'Auditor' }],
  ])('with 120,000 items is refused as a whole: %s', async (path, field, rest) => {
    for (const count of [120_000, 131_000]) {
      const items = Array.from({ length: count }, () => 1);
      const answer = await postV1(path, JSON.stringify({ ...rest, [field]: items }));
      expect(answer.status).toBe(400);
      expectSmall(answer, 'INVALID_BODY');
    }
  });

  test('with an array that is too long gets one error for the array, not one for each item', async () => {
    const items = Array.from({ length: 300 }, () => 1);
    const refused = await api('/v1/webhooks/endpoints', { body: { url: 'https://example.com/', events: items } });
    expectRefusal(refused, 'INVALID_BODY', ['events']);
  });

  test('with 60 wrong fields gets the first 50 of them back', async () => {
    const refused = await api('/v1/clients', { body: manyFields(60) });
    expect(refused.body.errors).toHaveLength(LIMITS.fieldErrors.max);
  });

  test('whose field has a name of 60 KB gets the beginning of that name back', async () => {
    const answer = await postV1('/v1/clients', JSON.stringify({ name: 'Acme', ['x'.repeat(60_000)]: 1 }));
    expectSmall(answer, 'INVALID_BODY');
    expect(JSON.parse(answer.text).errors[0].path).toMatch(/^x{50,}…$/);
  });

  test('whose values are too long gets a short response', async () => {
    const long = 'x'.repeat(100_000);
    for (const body of [{ name: long }, { name: 'Acme', slug: long }, { name: 'Acme', custom_domain: long }]) {
      expectSmall(await postV1('/v1/clients', JSON.stringify(body)), 'INVALID_BODY');
    }
  });

  test('of 100,000 opening brackets is refused', async () => {
    expectSmall(await postV1('/v1/clients', `{"name":${'['.repeat(100_000)}`), 'INVALID_BODY');
    expectSmall(await postV1('/v1/clients', `{"a":`.repeat(40_000)), 'INVALID_BODY');
  });

  test.each([
    ['at the top', '{"name":"Acme","name":"Other"}', 'name'],
    ['in escapes', '{"name":"Acme","n\\u0061me":"Other"}', 'name'],
    ['further down', '{"name":{"x":[1,{"y":1,"y":2}]}}', 'name.x.1.y'],
    ['where the first one would be lost with its own fields', '{"name":{"a":1},"name":"Acme"}', 'name'],
  ])('with a field given twice %s is refused', async (_where, body, path) => {
    const { status, text } = await postV1('/v1/clients', body);
    expect(status).toBe(400);
    const errors = [{ path, message: 'is given more than once' }];
    expect(JSON.parse(text)).toMatchObject({ code: 'INVALID_BODY', errors });
  });

  test.each(['latin1', 'ISO-8859-1', 'utf-16', '"utf-7"', 'utf-8; charset=latin1'])(
    'in the charset %s is refused, JSON and forms',
    async (charset) => {
      const json = await postV1('/v1/clients', '{"name":"Acme"}', `application/json; charset=${charset}`);
      expect(json.status).toBe(400);
      const errors = [{ path: '', message: expect.stringMatching(/UTF-8/) }];
      expect(JSON.parse(json.text)).toMatchObject({ code: 'INVALID_BODY', errors });
      const type: readonly [string, string] = ['Content-Type', `application/x-www-form-urlencoded; charset=${charset}`];
      const form = await post('/oauth/token', 'grant_type=refresh_token', type);
      expect(form.status).toBe(400);
      expect(JSON.parse(form.text)).toMatchObject({ code: 'INVALID_REQUEST', error: 'invalid_request', errors });
    },
  );

  test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('in the charset %s is accepted', async (charset) => {
    expect((await postV1('/v1/clients', '{"name":"Zoë"}', `application/json; charset=${charset}`)).status).toBe(201);
  });

  test.each(['\xff', '\xc3', '\xed\xa0\x80'])('of JSON with the bytes %j is refused', async (bytes) => {
    const { status, text } = await postV1('/v1/clients', Buffer.from(`{"name":"Acme ${bytes}"}`, 'latin1'));
    expect(status).toBe(400);
    const errors = [{ path: '', message: 'must be JSON in UTF-8: malformed UTF-8' }];
    expect(JSON.parse(text)).toMatchObject({ code: 'INVALID_BODY', errors });
  });

  test.each(['application/jsonx', 'application/json-seq', 'text/json'])('of the type %s is refused', async (type) => {
    expectSmall(await postV1('/v1/clients', '{"name":"Acme"}', type), 'INVALID_BODY');
  });

  test('that is compressed is refused, so that it cannot grow', async () => {
    const encoding: readonly [string, string] = ['Content-Encoding', 'gzip'];
    const authorization: readonly [string, string] = ['Authorization', `Bearer ${apiKey}`];
    const json = await post('/v1/clients', gzipSync('{"name":"Acme"}'), JSON_TYPE, authorization, encoding);
    expectSmall(json, 'INVALID_BODY');
    const login = await post(DEVICE_PATHS.code, gzipSync('{"client_name":"plat"}'), JSON_TYPE, encoding);
    expectSmall(login, 'INVALID_BODY');
    const form = await post('/oauth/token', gzipSync('grant_type=refresh_token'), FORM_TYPE, encoding);
    expect(JSON.parse(form.text).errors).toEqual([{ path: '', message: 'could not be read' }]);
  });

  test('of a form that is not UTF-8 is refused', async () => {
    const answer = await post('/oauth/token', Buffer.from('grant_type=\xff\xfe', 'latin1'), FORM_TYPE);
    expectSmall(answer, 'INVALID_REQUEST');
  });
});

describe('a query', () => {
  test.each(['', '?&'])('%s with more parameters than any operation has is refused as a whole', async (start) => {
    const query = start + Array.from({ length: 900 }, (_, i) => `p${i.toString(36)}=1`).join('&');
    const headers: [string, string][] = [['Authorization', `Bearer ${apiKey}`]];
    const answer = await sendRaw(story.server.baseUrl, { method: 'GET', path: `/v1/clients?${query}`, headers });
    expectSmall(answer, 'INVALID_REQUEST');
    expect(JSON.parse(answer.text).errors).toEqual([{ path: '', message: expect.stringMatching(/parameters/) }]);
  });
});

test('every response to the API quotes a bounded part of the path', async () => {
  expectSmall(await postV1(`/v1/${'x'.repeat(12_000)}`, '{}'), 'NOT_FOUND');
});
