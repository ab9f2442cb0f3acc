import { createHmac, createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createVerifier, signDelivery, verify } from './index.ts';
import { outcomeOf } from './outcome.fixture.ts';
import { signTestEvent } from './testing.ts';

const secret = 'whsec_of_the_endpoint';
const T = 1_800_000_000;
const now = () => T * 1000;
const verifier = createVerifier({ secrets: secret, now });
const { body, rawBody, headers } = signTestEvent('client.created', { secret, timestamp: T });

const hex = (t: string | number, key = secret) => createHmac('sha256', key).update(`${t}.${body}`).digest('hex');
const code = (signed: Parameters<typeof verifier.verify>[1], verifies = verifier) =>
  outcomeOf(() => verifies.verify(rawBody, signed)).code;

test('an authentic delivery returns its event, from bytes, text or an ArrayBuffer', () => {
  for (const raw of [rawBody, Buffer.from(rawBody), body, rawBody.buffer]) {
    expect(verifier.verify(raw, headers)).toEqual(JSON.parse(body));
  }
  expect(verify(rawBody, headers, { secrets: [secret], now })).toEqual(JSON.parse(body));
  expect(verifier.verifySignature(rawBody, headers)).toBe(T);
});

test('the verifier accepts the vector of the specification: hex HMAC-SHA256 of <t>.<raw_body> under the whole secret', () => {
  expect(code(`t=${T},v1=${hex(T)}`)).toBe('ok');
  expect(signDelivery({ body, secrets: [secret, createSecretKey('b', 'utf8')], timestamp: T })).toBe(
    `t=${T},v1=${hex(T)},v1=${hex(T, 'b')}`,
  );
});

test.each([
  [300, 300, 'ok'],
  [301, 300, 'TIMESTAMP_TOO_OLD'],
  [-300, 300, 'ok'],
  [-301, 300, 'TIMESTAMP_IN_FUTURE'],
  [0, 0, 'ok'],
  [1, 0, 'TIMESTAMP_TOO_OLD'],
  [-1, 0, 'TIMESTAMP_IN_FUTURE'],
])('a signature that is %i s old under a tolerance of %i s: %s', (age, tolerance, expected) => {
  for (const milliseconds of [0, 999]) {
    const clock = () => (T + age) * 1000 + milliseconds;
    expect(code(headers, createVerifier({ secrets: secret, tolerance, now: clock }))).toBe(expected);
  }
});

test('the default tolerance is 300 s', () => {
  expect(code(headers, createVerifier({ secrets: secret, now: () => (T + 300) * 1000 }))).toBe('ok');
  expect(code(headers, createVerifier({ secrets: secret, now: () => (T + 301) * 1000 }))).toBe('TIMESTAMP_TOO_OLD');
});

test.each<[string, string, string]>([
  ['spaces and tabs around commas', ` t=${T} ,\tv1=${hex(T)} `, 'ok'],
  ['upper-case hex', `t=${T},v1=${hex(T).toUpperCase()}`, 'ok'],
  ['v1 before t', `v1=${hex(T)},t=${T}`, 'ok'],
  ['a wrong v1 before the good one', `t=${T},v1=${'0'.repeat(64)},v1=${hex(T)}`, 'ok'],
  ['a malformed v1 before the good one', `t=${T},v1=zz,v1=,v1=${hex(T)}`, 'ok'],
  ['other schemes beside the good one', `t=${T},v0=${'0'.repeat(64)},x,v1=${hex(T)},v2=1`, 'ok'],
  ['exactly 4096 characters', `t=${T},v1=${hex(T)},${'x'.repeat(4096 - 81)}`, 'ok'],
  ['4097 characters', `t=${T},v1=${hex(T)},${'x'.repeat(4097 - 81)}`, 'SIGNATURE_TOO_LONG'],
  ['the right digest under another scheme', `t=${T},v0=${hex(T)}`, 'SIGNATURE_MALFORMED'],
  ['the scheme in upper case', `t=${T},V1=${hex(T)}`, 'SIGNATURE_MALFORMED'],
  ['63 digits', `t=${T},v1=${hex(T).slice(1)}`, 'SIGNATURE_MALFORMED'],
  ['65 digits', `t=${T},v1=${hex(T)}0`, 'SIGNATURE_MALFORMED'],
  ['a space after v1=', `t=${T},v1= ${hex(T)}`, 'SIGNATURE_MALFORMED'],
  ['no t', `v1=${hex(T)}`, 'SIGNATURE_MALFORMED'],
  ['t twice', `t=${T},t=${T},v1=${hex(T)}`, 'SIGNATURE_REPEATED'],
  ['the header joined with itself', `t=${T},v1=${hex(T)}, t=${T},v1=${hex(T)}`, 'SIGNATURE_REPEATED'],
  ['nothing', '', 'SIGNATURE_MISSING'],
  ['blanks', '  ', 'SIGNATURE_MISSING'],
  ['words', 'hello', 'SIGNATURE_MALFORMED'],
  ['t changed after signing', `t=${T + 1},v1=${hex(T)}`, 'SIGNATURE_MISMATCH'],
])('a header with %s: %s → %s', (_, header, expected) => {
  expect(code(header)).toBe(expected);
});

test.each(['/', ':', '@', 'G', '`', 'g'])(
  'a v1 with the character %j beside hexadecimal digits is ignored',
  (wrong) => {
    expect(code(`t=${T},v1=${hex(T).slice(1)}${wrong}`)).toBe('SIGNATURE_MALFORMED');
  },
);

test.each(['', '+1', '-1', '01', `0${T}`, `${T}.0`, `${T}.`, '18e8', '0x6b49d200', ' 1', '١', 'Infinity', 'NaN'])(
  'a t of %j is refused even if it was signed',
  (t) => {
    expect(code(`t=${t},v1=${hex(t)}`)).toBe('TIMESTAMP_INVALID');
  },
);

test('a t of any length is refused as a time in the future', () => {
  for (const t of [`${T}000`, '9'.repeat(30), '9'.repeat(4000)]) {
    expect(code(`t=${t},v1=${hex(t)}`)).toBe('TIMESTAMP_IN_FUTURE');
  }
  const early = createVerifier({ secrets: secret, now: () => 0 });
  expect(code(`t=0,v1=${hex('0')}`, early)).toBe('ok');
});

test('any pair of a secret and a v1 can match', () => {
  const rotating = createVerifier({ secrets: ['whsec_new', createSecretKey(secret, 'utf8')], now });
  expect(code(headers, rotating)).toBe('ok');
  expect(code(`t=${T},v1=${hex(T, 'x')},v1=${hex(T, 'whsec_new')}`, rotating)).toBe('ok');
  expect(code(`t=${T},v1=${hex(T, 'x')}`, rotating)).toBe('SIGNATURE_MISMATCH');
});

test('the signature is found in headers of any kind and case', () => {
  const value = headers['x-platform-signature'] ?? '';
  expect(code(new Headers(headers))).toBe('ok');
  expect(code({ 'X-Platform-Signature': value })).toBe('ok');
  expect(code({ 'X-PLATFORM-SIGNATURE': value, get: 'a header of this name' })).toBe('ok');
  expect(code(Object.assign(Object.create(null), headers))).toBe('ok');
});

test('a header that is missing, in an array or repeated is refused', () => {
  const value = headers['x-platform-signature'] ?? '';
  const twice = new Headers(headers);
  twice.append('x-platform-signature', value);
  expect(code({})).toBe('SIGNATURE_MISSING');
  expect(code(new Headers())).toBe('SIGNATURE_MISSING');
  expect(code({ 'x-platform-signature': [value, value] })).toBe('SIGNATURE_REPEATED');
  expect(code({ 'X-Platform-Signature': value, 'X-PLATFORM-SIGNATURE': value })).toBe('SIGNATURE_REPEATED');
  expect(code(twice)).toBe('SIGNATURE_REPEATED');
});

test('given event headers must agree with the signed body', () => {
  expect(code({ ...headers, 'x-platform-event': 'client.deleted' })).toBe('EVENT_HEADER_MISMATCH');
  expect(code({ ...headers, 'x-platform-event-id': 'evt_other' })).toBe('EVENT_HEADER_MISMATCH');
  expect(code({ ...headers, 'x-platform-event-id': '' })).toBe('EVENT_HEADER_MISMATCH');
  expect(code({ ...headers, 'x-platform-event-id': ['a', 'b'] })).toBe('EVENT_HEADER_MISMATCH');
  expect(code({ 'x-platform-signature': headers['x-platform-signature'] })).toBe('ok');
});

test('an event type of a later version is accepted', () => {
  const later = signTestEvent('invoice.paid', { secret, timestamp: T });
  expect(verifier.verify(later.rawBody, later.headers).type).toBe('invoice.paid');
});

test.each<[string, unknown, string]>([
  ['no secrets', { secrets: [] }, 'SECRETS_MISSING'],
  ['an unset variable', { secrets: undefined }, 'SECRETS_MISSING'],
  ['an unset variable in a list', { secrets: [secret, undefined] }, 'SECRETS_MISSING'],
  ['null', { secrets: null }, 'SECRETS_MISSING'],
  ['an empty secret', { secrets: '' }, 'SECRET_INVALID'],
  ['a blank secret in a list', { secrets: [secret, ' \n'] }, 'SECRET_INVALID'],
  ['a number', { secrets: 5 }, 'SECRET_INVALID'],
  ['an empty key', { secrets: createSecretKey(new Uint8Array()) }, 'SECRET_INVALID'],
  ['a tolerance of NaN', { secrets: secret, tolerance: Number.NaN }, 'TOLERANCE_INVALID'],
  ['a negative tolerance', { secrets: secret, tolerance: -1 }, 'TOLERANCE_INVALID'],
  ['an infinite tolerance', { secrets: secret, tolerance: Number.POSITIVE_INFINITY }, 'TOLERANCE_INVALID'],
  ['a tolerance in words', { secrets: secret, tolerance: '300' }, 'TOLERANCE_INVALID'],
  ['a clock that is a number', { secrets: secret, now: 5 }, 'CLOCK_INVALID'],
])('a verifier with %s is refused at its creation', (_, options, expected) => {
  const made = outcomeOf(() => Reflect.apply(createVerifier, undefined, [options]));
  expect(made).toMatchObject({ code: expected, name: 'WebhookConfigurationError' });
});

test('a clock that returns no number accepts no delivery', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(code(headers, createVerifier({ secrets: secret, now: () => value }))).toBe('CLOCK_INVALID');
  }
});

test('no printed form shows a secret', () => {
  const refused = [
    outcomeOf(() => verifier.verify(`${body} `, headers)).error,
    outcomeOf(() => createVerifier({ secrets: ` ${secret}`, now }).verify(rawBody, headers)).error,
    outcomeOf(() => createVerifier({ secrets: [secret, ''] })).error,
  ];
  for (const value of [verifier, ...refused]) {
    expect(`${inspect(value, { depth: 9, showHidden: true })}${JSON.stringify(value)}`).not.toContain(secret);
  }
});
