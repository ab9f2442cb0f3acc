import { constants, createHmac, sign } from 'node:crypto';
import type { LaunchTokenCode } from './errors.ts';
import { AUDIENCE, claims, encode, header, ISSUER, mint, type SigningKey, signParts, T } from './issuer.fixture.ts';

/** A token with one fault. Its signature is valid unless the signature itself is the fault. */
export interface Flawed {
  readonly title: string;
  readonly code: LaunchTokenCode;
  readonly token: unknown;
}

/** Returns tokens that break every rule of encoding, header, signature and claims, one at a time. */
export function flawsOf(key: SigningKey, stranger: SigningKey): readonly Flawed[] {
  return [...encodingFlaws(key), ...headerFlaws(key, stranger), ...signatureFlaws(key, stranger), ...payloadFlaws(key)];
}

/** Returns valid tokens that look unusual. */
export function unusualTokens(key: SigningKey): readonly { readonly title: string; readonly token: string }[] {
  const head = header(key);
  const of = (others: Readonly<Record<string, unknown>>): string => mint(key, { claims: claims(others) });
  return [
    { title: 'without typ', token: mint(key, { header: { ...head, typ: undefined } }) },
    { title: 'with unknown header parameters', token: mint(key, { header: { ...head, x5t: 'a', foo: [] } }) },
    { title: 'with white space in its JSON', token: mint(key, { claims: JSON.stringify(claims(), null, '\t') }) },
    { title: 'with escapes in its JSON', token: mint(key, { claims: escaped(JSON.stringify(claims())) }) },
    { title: 'with claims that the platform may add', token: of({ sub: 'x', jti: 'y', new: { a: [1] } }) },
    { title: 'with a member called __proto__', token: mint(key, { claims: inject('"__proto__":{"role":"owner"}') }) },
    { title: 'with quotes, colons and backslashes in text', token: of({ role: 'a":"b\\":\\\\"c:{"' }) },
    { title: 'with one name in two objects', token: of({ new: [{ id: 1 }, { id: 2, in: { id: 3 } }] }) },
    { title: 'without entitlements', token: of({ entitlements: [] }) },
    { title: 'without groups', token: of({ groupId: undefined, groupMemberships: undefined }) },
    { title: 'of a user without groups', token: of({ groupMemberships: [] }) },
    {
      title: 'for a group without a name',
      token: of({ groupMemberships: [{ id: 'grp_1', name: '', isOwner: true }] }),
    },
    { title: 'that ended 29 s ago', token: of({ iat: T - 900, exp: T - 29 }) },
    { title: 'that begins in 30 s', token: of({ iat: T + 30, exp: T + 900 }) },
    { title: 'that begins in 30 s by its nbf', token: of({ nbf: T + 30 }) },
    { title: 'that lives an hour', token: of({ iat: T - 10, exp: T + 3590 }) },
    { title: 'that lives a second', token: of({ iat: T - 1, exp: T }) },
    { title: 'of 16 KiB', token: mintOf(key, 16_384) },
  ];
}

function encodingFlaws(key: SigningKey): Flawed[] {
  const good = mint(key);
  const [head = '', body = '', signature = ''] = good.split('.');
  const missing = [undefined, null, 0, '', {}, [good], Buffer.from(good)].map(
    (token): Flawed => ({ title: `is ${describe(token)}`, code: 'TOKEN_MISSING', token }),
  );
  const malformed: Record<string, string> = {
    'has one part': head,
    'has two parts': `${head}.${body}`,
    'has four parts': `${good}.`,
    'has five parts, as a JWE': `${good}.${body}.${signature}`,
    'begins with white space': ` ${good}`,
    'ends with a line': `${good}\n`,
    'has an empty header': signParts(key, '', body),
    'has an empty payload': signParts(key, head, ''),
    'has an empty signature': `${head}.${body}.`,
    'is a word': 'token',
    'is three dots': '...',
    'is prefixed with Bearer': `Bearer ${good}`,
    'is JSON': JSON.stringify({ protected: head, payload: body, signature }),
  };
  const parts = [head, body, signature];
  const names = ['header', 'payload', 'signature'];
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? '';
    const spellings: Record<string, string> = {
      'is padded': `${part}=`,
      'has a character too many': `${part}${'A'.repeat(1 + ((4 - (part.length % 4)) % 4))}`,
      'has white space in it': `${part.slice(0, 8)} ${part.slice(8)}`,
      'has a plus in it': `${part.slice(0, 8)}+${part.slice(9)}`,
      'has a slash in it': `${part.slice(0, 8)}/${part.slice(9)}`,
      'has a letter beyond ASCII in it': `${part.slice(0, 8)}ł${part.slice(9)}`,
      'has a NUL in it': `${part.slice(0, 8)}\0${part.slice(9)}`,
    };
    for (const [how, spelling] of Object.entries(spellings)) {
      malformed[`: its ${name} ${how}`] = replaced(key, parts, at, spelling);
    }
  }
  malformed[': its signature has bits that stand for nothing'] = `${head}.${body}.${withSpareBits(signature)}`;
  malformed[': its header has bits that stand for nothing'] = signParts(key, withSpareBits(head), body);
  for (const space of [' ', '  ']) {
    const spared = encode(JSON.stringify(claims()) + space);
    if (spared.length % 4 !== 0)
      malformed[`: its payload of ${spared.length} has bits that stand for nothing`] = signParts(
        key,
        head,
        withSpareBits(spared),
      );
  }
  return [
    ...missing,
    ...Object.entries(malformed).map(([title, token]): Flawed => ({ title, code: 'TOKEN_MALFORMED', token })),
    {
      title: 'is a byte over 16 KiB',
      code: 'TOKEN_TOO_LARGE',
      token: mintOf(key, 16_385),
    },
    { title: 'is 16 MiB of the letter A', code: 'TOKEN_TOO_LARGE', token: 'A'.repeat(2 ** 24) },
  ];
}

function headerFlaws(key: SigningKey, stranger: SigningKey): Flawed[] {
  const of = (head: object | string): string => mint(key, { header: head });
  const head = header(key);
  const text = JSON.stringify(head);
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' });
  const hmac = (alg: string, secret: string | Buffer): string => {
    const input = `${encode({ ...head, alg })}.${encode(claims())}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const invalid: Record<string, object | string> = {
    'no strict UTF-8': Uint8Array.from([...Buffer.from(text.replace('JWT', 'J')), 0xc3, 0x28]),
    'an overlong form': Buffer.from(text.replace('"JWT"', '"\xc0\xaf"'), 'latin1'),
    'a byte order mark': `\ufeff${text}`,
    'no JSON': '{"alg":"RS256",}',
    'nothing but white space': ' ',
    'an array': '["RS256"]',
    null: 'null',
    'a string': '"RS256"',
    'a number': '1',
    'two objects': `${text}${text}`,
    'alg twice': inject('"alg":"none"', text),
    'alg twice, the same': inject('"alg":"RS256"', text),
    'alg twice, once escaped': inject('"\\u0061lg":"none"', text),
    'kid twice': inject('"kid":"other"', text),
    'a name twice, deep inside': inject('"x":[{"a":1,"b":{},"a":2}]', text),
    'half of a surrogate pair': text.replace('JWT', '\\ud800'),
    'half of a surrogate pair in a name': inject('"\\udc00":1', text),
    'an escaped name': inject('"\\u0078":1', text),
    'a name with a quote in it': inject('"\\"":1', text),
    'too many levels': { ...head, x: nested(20) },
  };
  const algorithms = [
    'none',
    'None',
    'HS256',
    'RS384',
    'RS512',
    'PS256',
    'ES256',
    'EdDSA',
    'rs256',
    'RS256 ',
    '',
    null,
    1,
    ['RS256'],
    undefined,
  ];
  const types = ['jwt', 'JOSE', 'at+jwt', 'application/jwt', 'JWT ', '', null, 1, ['JWT'], {}];
  const kids = [undefined, null, '', 0, 1, [key.kid], { kid: key.kid }];
  const { jwk } = stranger;
  const forbidden: Record<string, unknown> = {
    crit: [],
    b64: true,
    zip: 'DEF',
    enc: 'A128GCM',
    jwk,
    jku: 'https://platform.example.com/.well-known/jwks.json',
    x5u: 'https://platform.example.com/cert',
    x5c: ['MIIB'],
  };
  return [
    ...Object.entries(invalid).map(
      ([has, part]): Flawed => ({ title: `: its header has ${has}`, code: 'HEADER_INVALID', token: of(part) }),
    ),
    ...algorithms.map(
      (alg): Flawed => ({
        title: `has alg ${describe(alg)}`,
        code: 'ALGORITHM_NOT_ALLOWED',
        token: of({ ...head, alg }),
      }),
    ),
    {
      title: 'has alg none and an empty signature',
      code: 'ALGORITHM_NOT_ALLOWED',
      token: `${encode({ ...head, alg: 'none' })}.${encode(claims())}.AA`,
    },
    { title: 'is an HMAC under the public key', code: 'ALGORITHM_NOT_ALLOWED', token: hmac('HS256', pem) },
    { title: 'is an HMAC under the public key, and says RS256', code: 'SIGNATURE_INVALID', token: hmac('RS256', pem) },
    ...types.map(
      (typ): Flawed => ({ title: `has typ ${describe(typ)}`, code: 'TYPE_NOT_ALLOWED', token: of({ ...head, typ }) }),
    ),
    ...kids.map(
      (kid): Flawed => ({ title: `has kid ${describe(kid)}`, code: 'KID_MISSING', token: of({ ...head, kid }) }),
    ),
    ...['other', `${key.kid} `, key.kid.toUpperCase(), '__proto__', 'constructor', '../../dev/null'].map(
      (kid): Flawed => ({ title: `has kid ${describe(kid)}`, code: 'KEY_UNKNOWN', token: of({ ...head, kid }) }),
    ),
    ...Object.entries(forbidden).flatMap(([name, value]): Flawed[] => [
      { title: `has ${name}`, code: 'HEADER_NOT_ALLOWED', token: of({ ...head, [name]: value }) },
      { title: `has ${name}, which is null`, code: 'HEADER_NOT_ALLOWED', token: of({ ...head, [name]: null }) },
    ]),
    {
      title: 'has crit, with a name that it has',
      code: 'HEADER_NOT_ALLOWED',
      token: of({ ...head, crit: ['foo'], foo: 1 }),
    },
    {
      title: 'contains the key that signed it',
      code: 'HEADER_NOT_ALLOWED',
      token: mint(stranger, { header: { ...head, jwk } }),
    },
  ];
}

function signatureFlaws(key: SigningKey, stranger: SigningKey): Flawed[] {
  const [head = '', body = '', signature = ''] = mint(key).split('.');
  const input = Buffer.from(`${head}.${body}`);
  const bytes = Buffer.from(signature, 'base64url');
  const flipped = (at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    return copy;
  };
  const signatures: Record<string, Buffer> = {
    'is off in its first byte': flipped(0),
    'is off in its last bit': flipped(bytes.length - 1),
    'is cut short': bytes.subarray(0, -1),
    'is one byte long': bytes.subarray(0, 1),
    'has a zero in front': Buffer.concat([Buffer.alloc(1), bytes]),
    'has a zero behind': Buffer.concat([bytes, Buffer.alloc(1)]),
    'is all zeros': Buffer.alloc(bytes.length),
    'is all ones': Buffer.alloc(bytes.length, 0xff),
    'is over SHA-512': sign('sha512', input, key.privateKey),
    'is over SHA-1': sign('sha1', input, key.privateKey),
    'is of RSA-PSS': sign('sha256', input, { key: key.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }),
    'is of another key': sign('sha256', input, stranger.privateKey),
    'is of the payload alone': sign('sha256', Buffer.from(body), key.privateKey),
    'is of the header alone': sign('sha256', Buffer.from(head), key.privateKey),
  };
  const other = encode(claims({ role: 'owner' }));
  return [
    ...Object.entries(signatures).map(
      ([how, each]): Flawed => ({
        title: `: its signature ${how}`,
        code: 'SIGNATURE_INVALID',
        token: `${head}.${body}.${encode(each)}`,
      }),
    ),
    { title: 'has the payload of another', code: 'SIGNATURE_INVALID', token: `${head}.${other}.${signature}` },
    {
      title: 'has the header of another',
      code: 'SIGNATURE_INVALID',
      token: `${encode(header(key, { x: 1 }))}.${body}.${signature}`,
    },
  ];
}

function payloadFlaws(key: SigningKey): Flawed[] {
  const of = (payload: object | string): string => mint(key, { claims: payload });
  const text = JSON.stringify(claims());
  const invalid: Record<string, object | string> = {
    'no strict UTF-8': Buffer.from(text.replace('member', 'm\xe9mber'), 'latin1'),
    'half of a pair, as CESU-8 has it': Buffer.from(text.replace('member', '\xed\xa0\x80'), 'latin1'),
    'a byte order mark': `\ufeff${text}`,
    'no JSON': text.slice(0, -1),
    'a comment': `${text}//`,
    'single quotes': "{'iss':1}",
    'an array': `[${text}]`,
    null: 'null',
    'a string': JSON.stringify(text),
    true: 'true',
    'half of a surrogate pair': text.replace('"member"', '"\\uDBFF"'),
    'half of a surrogate pair in a list': text.replace('"analytics.view"', '"\\udc00"'),
    'a member of a group twice': text.replace('"isOwner":false', '"isOwner":false,"isOwner":true'),
    'a duplicate name in an unused member': inject('"x":{"y":[{"z":1,"z":1}]}'),
    '__proto__ twice': inject('"__proto__":1,"__proto__":2'),
    'an escaped name': text.replace('"role"', '"r\\u006fle"'),
    'a name in escapes, deep inside': inject('"x":[{"\\\\":1}]'),
    'too many levels': claims({ x: nested(20) }),
    'thousands of levels': inject(`"x":${'['.repeat(5000)}${']'.repeat(5000)}`),
  };
  for (const [name, value] of Object.entries(claims())) {
    invalid[`${name} twice`] = inject(`"${name}":${JSON.stringify(value)}`);
    invalid[`${name} twice, once escaped`] = inject(
      `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}":${JSON.stringify(value)}`,
    );
  }
  const strings = ['iss', 'aud', 'tenant', 'client', 'user', 'role'];
  const noStrings = [undefined, null, '', 0, 1, true, [], ['x'], {}];
  const noTimes = [undefined, null, String(T), T + 0.5, -1, true, [T], {}, 2 ** 53, Number.POSITIVE_INFINITY];
  const noEntitlements = [
    undefined,
    null,
    'analytics.view',
    {},
    { length: 0 },
    1,
    true,
    [1],
    [null],
    [''],
    ['a', 2],
    [['a']],
  ];
  const group = { id: 'grp_1', name: 'North', isOwner: true };
  const noGroups = [null, 'grp_1', {}, group, 1, [null], ['grp_1'], [[group]], [{}], [group, {}]];
  const wrong: [string, unknown][] = [
    ...strings.flatMap((name) => noStrings.map((value): [string, unknown] => [name, value])),
    ['aud', [AUDIENCE]],
    ['aud', [AUDIENCE, 'https://other.example.com']],
    ['iss', [ISSUER]],
    ...noStrings.slice(1).map((value): [string, unknown] => ['groupId', value]),
    ...['iat', 'exp'].flatMap((name) => noTimes.map((value): [string, unknown] => [name, value])),
    ...noTimes.slice(1).map((value): [string, unknown] => ['nbf', value]),
    ...noEntitlements.map((value): [string, unknown] => ['entitlements', value]),
    ...noGroups.map((value): [string, unknown] => ['groupMemberships', value]),
    ...Object.keys(group).flatMap((name) =>
      [undefined, null, 1, 'true', {}]
        .filter((value) => name === 'isOwner' || typeof value !== 'string')
        .map((value): [string, unknown] => ['groupMemberships', [{ ...group, [name]: value }]]),
    ),
    ['groupMemberships', [{ ...group, id: '' }]],
  ];
  const held: [string, LaunchTokenCode, Record<string, unknown>][] = [
    ...[
      'https://other.example.com',
      `${ISSUER}/`,
      `${ISSUER} `,
      ISSUER.toUpperCase(),
      ISSUER.slice(0, -1),
      `${ISSUER}.evil.example`,
    ].map((iss): [string, LaunchTokenCode, Record<string, unknown>] => [
      `is of issuer ${iss}`,
      'ISSUER_MISMATCH',
      { iss },
    ]),
    ...['https://other.example.com', `${AUDIENCE}/`, AUDIENCE.toUpperCase(), AUDIENCE.slice(0, -1), '*', ISSUER].map(
      (aud): [string, LaunchTokenCode, Record<string, unknown>] => [
        `is for audience ${aud}`,
        'AUDIENCE_MISMATCH',
        { aud },
      ],
    ),
    ['ended 30 s ago', 'TOKEN_EXPIRED', { iat: T - 900, exp: T - 30 }],
    ['ended long ago', 'TOKEN_EXPIRED', { iat: 0, exp: 1 }],
    ['begins in 31 s', 'TOKEN_NOT_YET_VALID', { iat: T + 31, exp: T + 900 }],
    ['begins in 31 s by its nbf', 'TOKEN_NOT_YET_VALID', { nbf: T + 31 }],
    ['lives an hour and a second', 'LIFETIME_INVALID', { iat: T - 10, exp: T + 3591 }],
    ['lives too long', 'LIFETIME_INVALID', { exp: Number.MAX_SAFE_INTEGER }],
    ['ends when it begins', 'LIFETIME_INVALID', { iat: T, exp: T }],
    ['ends before it begins', 'LIFETIME_INVALID', { iat: T + 10, exp: T + 5 }],
    ['has times in milliseconds', 'LIFETIME_INVALID', { iat: T * 1000, exp: (T + 900) * 1000 }],
  ];
  return [
    ...Object.entries(invalid).map(
      ([has, part]): Flawed => ({ title: `: its payload has ${has}`, code: 'PAYLOAD_INVALID', token: of(part) }),
    ),
    ...wrong.map(
      ([name, value]): Flawed => ({
        title: `has ${name} ${describe(value)}`,
        code: 'CLAIM_INVALID',
        token: of(claimsWith(name, value)),
      }),
    ),
    ...held.map(([title, code, others]): Flawed => ({ title, code, token: of(claims(others)) })),
  ];
}

/** JSON has no Infinity, but large numbers are parsed as Infinity. */
function claimsWith(name: string, value: unknown): object | string {
  return value === Number.POSITIVE_INFINITY
    ? JSON.stringify(claims({ [name]: 0 })).replace(`"${name}":0`, `"${name}":1e400`)
    : claims({ [name]: value });
}

/** Inserts a member after the first brace of a JSON text. */
function inject(member: string, text = JSON.stringify(claims())): string {
  return text.replace('{', `{${member},`);
}

/** Escapes the values and keeps the names. */
function escaped(text: string): string {
  return text.replace(/(?<=:)"[^"]*"/g, (value) =>
    value.replace(/\w/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  );
}

function nested(levels: number): unknown {
  return levels === 0 ? 0 : levels % 2 === 0 ? [nested(levels - 1)] : { a: nested(levels - 1) };
}

/** Returns another spelling of the same bytes: the lowest spare bit is set. */
function withSpareBits(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(part.slice(-1));
  return part.slice(0, -1) + alphabet.charAt(last + 1);
}

/** Replaces a part of the token, and signs the result unless the signature was replaced. */
function replaced(key: SigningKey, parts: readonly string[], at: number, part: string): string {
  const all = parts.with(at, part);
  const [head = '', body = ''] = all;
  return at === 2 ? all.join('.') : signParts(key, head, body);
}

/** Returns a token of exactly `length` characters. Some lengths also need a longer header. */
function mintOf(key: SigningKey, length: number): string {
  for (let more = 0; more < 3; more += 1) {
    const head = header(key, { x: '.'.repeat(more) });
    for (let size = Math.floor((length * 3) / 4) - 2000; size < length; size += 1) {
      const token = `${encode(head)}.${encode(claims({ padding: '.'.repeat(size) }))}.${'A'.repeat(342)}`;
      if (token.length === length) return mint(key, { header: head, claims: claims({ padding: '.'.repeat(size) }) });
      if (token.length > length) break;
    }
  }
  throw new Error(`no token has ${length} characters`);
}

function describe(value: unknown): string {
  if (value instanceof Uint8Array) return 'bytes';
  if (value === Number.POSITIVE_INFINITY) return '1e400';
  return value === undefined ? 'undefined' : JSON.stringify(value);
}
