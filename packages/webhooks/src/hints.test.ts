import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVerifier } from './index.ts';
import { outcomeOf, outcomeOfAsync } from './outcome.fixture.ts';
import { signTestEvent } from './testing.ts';
import { createVerifier as createWebVerifier } from './web.ts';

const secret = 'whsec_c2VjcmV0LW9mLXRoZS1lbmRwb2ludA';
const T = 1_800_000_000;
const now = () => T * 1000;
const { body, rawBody, headers, signature } = signTestEvent('client.created', { secret, timestamp: T });
const value = JSON.parse(body);

/** Returns the hint, which both entry points must agree on. */
async function hintOf(
  raw: unknown,
  signed: unknown,
  secrets: string | string[] = secret,
  clock = now,
): Promise<string> {
  const options = { secrets, now: clock };
  const here = outcomeOf(() => Reflect.apply(createVerifier(options).verify, undefined, [raw, signed]));
  const there = await outcomeOfAsync(() => Reflect.apply(createWebVerifier(options).verify, undefined, [raw, signed]));
  expect(there).toMatchObject({ code: here.code, hint: here.hint });
  return `${here.code}: ${here.hint}`;
}

const sign = (key: string | Buffer, message: string) =>
  `t=${T},v1=${createHmac('sha256', key).update(message).digest('hex')}`;
const { data, ...envelope } = value;

test.each<[string, unknown, RegExp]>([
  ['a parsed object', value, /^BODY_NOT_RAW: .*parsed object.*express\.raw/],
  ['undefined', undefined, /^BODY_NOT_RAW: .*undefined.*nothing has read/],
  ['a promise', Promise.resolve(body), /^BODY_NOT_RAW: .*await it/],
  ['a Request', new Request('http://localhost', { method: 'POST', body }), /^BODY_NOT_RAW: .*request or a stream/],
  [
    'a Buffer through JSON',
    JSON.parse(JSON.stringify(Buffer.from(body))),
    /^BODY_NOT_RAW: .*Buffer\.from\(body\.data\)/,
  ],
  ['an object as a string', '[object Object]', /^SIGNATURE_MISMATCH: .*parsed object turned into a string/],
  [
    'bytes as an object',
    JSON.stringify(new TextEncoder().encode(body)),
    /^SIGNATURE_MISMATCH: .*array of bytes.*Buffer/,
  ],
  ['nothing', '', /^SIGNATURE_MISMATCH: .*is empty/],
  ['gzip', Buffer.from([0x1f, 0x8b, 8]), /^SIGNATURE_MISMATCH: .*compressed/],
  ['a newline more', `${body}\n`, /^SIGNATURE_MISMATCH: .*added a newline/],
  ['a CRLF more', `${body}\r\n`, /^SIGNATURE_MISMATCH: .*added a newline/],
  ['blanks around', `  ${body} `, /^SIGNATURE_MISMATCH: .*added white space/],
  ['a byte order mark more', `\uFEFF${body}`, /^SIGNATURE_MISMATCH: .*put a byte order mark/],
  [
    'two-space JSON',
    JSON.stringify(value, null, 2),
    /^SIGNATURE_MISMATCH: .*parsed and written again with other spacing/,
  ],
  ['members in another order', JSON.stringify({ data, ...envelope }), /^SIGNATURE_MISMATCH: .*another order/],
  ['another event', body.replace('Acme', 'Acne'), /^SIGNATURE_MISMATCH: .*another endpoint.*rotation/],
  ['base64', Buffer.from(body).toString('base64'), /^SIGNATURE_MISMATCH: .*base64.*isBase64Encoded/],
  ['base64, as bytes', Buffer.from(Buffer.from(body).toString('base64')), /^SIGNATURE_MISMATCH: .*isBase64Encoded/],
  [
    'base64 of another event',
    Buffer.from('{\n  "id": 1}').toString('base64'),
    /^SIGNATURE_MISMATCH: .*isBase64Encoded/,
  ],
  ['a lossy text', body.replace('Acme', 'Ac\uFFFDe'), /^SIGNATURE_MISMATCH: .*U\+FFFD/],
])('the hint names a body that is %s', async (_, raw, hint) => {
  expect(await hintOf(raw, headers)).toMatch(hint);
});

test('the hint names a removed newline and a removed byte order mark', async () => {
  expect(await hintOf(body, sign(secret, `${T}.${body}\n`))).toMatch(/newline .* was taken off/);
  expect(await hintOf(body, sign(secret, `${T}.\uFEFF${body}`))).toMatch(/byte order mark that something took off/);
  expect(await hintOf(body.replaceAll(',', ',\r\n'), sign(secret, `${T}.${body.replaceAll(',', ',\n')}`))).toMatch(
    /LF to CRLF/,
  );
});

test.each<[string, string, RegExp]>([
  ['white space', `${secret}\n`, /secrets\[0\] has white space/],
  ['quotes', `"${secret}"`, /secrets\[0\] is in quotes/],
  ['a spelt-out newline', `${secret}\\n`, /secrets\[0\] ends in an escape/],
  ['its variable', `WEBHOOK_SECRET=${secret}`, /secrets\[0\] begins with the name/],
  ['its prefix twice', `whsec_${secret}`, /secrets\[0\] has its prefix whsec_ twice/],
  ['another one behind a comma', `whsec_other,${secret}`, /secrets\[0\] is several secrets in one string.*array/],
  ['another one behind a comma and a space', `${secret}, whsec_other`, /secrets\[0\] is several secrets in one string/],
  ['no prefix', secret.slice(6), /secrets\[0\] lacks its prefix/],
  ['the value of an API key', 'plat_test_0123456789', /secrets\[0\] is an API key/],
  ['the value of a client secret', 'plat_cs_0123456789', /secrets\[0\] is the client secret/],
  ['the id of an endpoint', 'whe_0123456789', /secrets\[0\] is the id of an endpoint/],
])('the hint names a secret with %s', async (_, wrong, hint) => {
  const said = await hintOf(rawBody, headers, wrong);
  expect(said).toMatch(hint);
  expect(said).not.toContain(secret.slice(6));
});

test('the hint names a body that was decoded as latin1', async () => {
  const special = signTestEvent('client.created', { secret, timestamp: T, data: { name: 'Größe 尺寸' } });
  const text = Buffer.from(special.rawBody).toString('latin1');
  expect(await hintOf(text, special.headers)).toMatch(/^SIGNATURE_MISMATCH: .*latin1/);
  expect(await hintOf(Buffer.from(text), special.headers)).toMatch(/^SIGNATURE_MISMATCH: .*latin1/);
});

test('the hint names the position of the secret among several', async () => {
  expect(await hintOf(rawBody, headers, ['whsec_other', ` ${secret}`])).toMatch(/secrets\[1\] has white space/);
});

test('the hint names mistakes of the sender', async () => {
  expect(await hintOf(body, sign(secret, body))).toMatch(/hashed the body alone/);
  expect(await hintOf(body, sign(secret.slice(6), `${T}.${body}`))).toMatch(/left whsec_ out/);
  expect(await hintOf(body, sign(Buffer.from(secret.slice(6), 'base64'), `${T}.${body}`))).toMatch(
    /decoded it from base64/,
  );
});

test.each<[string, unknown, RegExp]>([
  ['the event id', headers['x-platform-event-id'], /X-Platform-Event-Id/],
  ['the delivery id', headers['x-platform-delivery-id'], /X-Platform-Delivery-Id/],
  ['the event type', headers['x-platform-event'], /X-Platform-Event;/],
  ['the whole line', `X-Platform-Signature: ${signature}`, /without its name/],
  ['an Authorization header', 'Bearer abc', /Authorization/],
  ['the digest alone', 'a'.repeat(64), /digest alone/],
  ['the secret', secret, /signing secret/],
  ['a quoted value', `"${signature}"`, /in quotes/],
  ["another service's", `sha256=${'a'.repeat(64)}`, /another service/],
  ['a base64 digest', `t=${T},v1=${Buffer.alloc(32).toString('base64')}`, /base64/],
  ['a digest cut short', `t=${T},v1=abc`, /3 hex digits/],
  ['a header that was dropped', { 'x-platform-event': 'client.created' }, /something between dropped this one/],
  ['no header of the platform', { host: 'localhost' }, /may not be a delivery/],
  ['the request', { headers }, /pass its headers/],
  ['nothing', undefined, /No headers were passed/],
])('the hint names a signature that is %s', async (_, signed, hint) => {
  expect(await hintOf(rawBody, signed)).toMatch(hint);
});

test('the hint names milliseconds, a clock in seconds and a stale delivery', async () => {
  expect(await hintOf(rawBody, `t=${T}000,v1=${'0'.repeat(64)}`)).toMatch(/^TIMESTAMP_IN_FUTURE: .*milliseconds/);
  expect(await hintOf(rawBody, headers, secret, () => T)).toMatch(/^TIMESTAMP_IN_FUTURE: .*now .* seconds/);
  expect(await hintOf(rawBody, headers, secret, () => (T - 400) * 1000)).toMatch(/400 s ahead/);
  expect(await hintOf(rawBody, headers, secret, () => (T + 400) * 1000)).toMatch(/^TIMESTAMP_TOO_OLD: .*400 s ago/);
});

test('a hint never repeats the value of an untrusted header', async () => {
  expect(await hintOf(rawBody, 'forged\nlog line')).not.toContain('forged');
  expect(await hintOf(rawBody, `t=${'9'.repeat(5)}x\nlog,v1=1`)).not.toContain('log');
});
