import { createHmac } from 'node:crypto';
import { ANSWER_401, type Case, launch, post, type Receiver, refusalOf, refuses, tokenOf } from './case.ts';
import { encode, FOREIGN_PATH } from './issuer.ts';

/** Advice to a receiver that accepts a wrong signature. */
export const VERIFY =
  'Verify the signature with the published key of the kid before any claim is used, and answer 401 when it fails.';
const ONLY_RS256 =
  'Accept the algorithm RS256 and no other: pass the list of algorithms to your library, never the alg of the token.';
const CHECK_CLAIMS = 'Check the presence and type of tenant, client, user, role and entitlements before they are used.';

/** Seconds since the epoch, with a difference. */
const time = (shift: number): number => Math.floor(Date.now() / 1000) + shift;

/** Cases of invalid launches. A correct receiver answers each with 4xx. */
export const REFUSED: readonly Case[] = [
  refuses(
    'no-token',
    'refuses a form without a token',
    'Answer 401 when the form field launch_token is absent or empty.',
    {
      'a form without launch_token': { alter: () => null },
      'an empty launch_token': { alter: () => '' },
    },
  ),
  refuses(
    'token-in-address',
    'refuses a token in the address',
    'Read the token from the form of the post only: addresses are written to logs and histories.',
    { 'a token in the query of the address': { inAddress: true } },
  ),
  refuses('malformed-token', 'refuses text that is no token', ANSWER_401, {
    'a word': { alter: () => 'token' },
    'two dots': { alter: () => '..' },
    'a token without its last part': { alter: (token) => token.split('.').slice(0, 2).join('.') },
    'a header that is no JSON': { alter: (token) => withPart(token, 0, encode('{"alg":')) },
    'a header that is a list': { alter: (token) => withPart(token, 0, encode('[]')) },
  }),
  refuses('altered-claims', 'refuses claims that were changed', VERIFY, {
    'a token with another role under the same signature': {
      alter: (token) => withPart(token, 1, encode(withOtherRole(token))),
    },
  }),
  refuses('altered-signature', 'refuses a signature that was changed', VERIFY, {
    'a token with a changed signature': { alter: (token) => withPart(token, 2, flipped(token)) },
    'a token without a signature': { alter: (token) => withPart(token, 2, '') },
    'a token with a shortened signature': { alter: (token) => token.slice(0, -8) },
  }),
  refuses('foreign-key', 'refuses another key under a known kid', VERIFY, ({ issuer: { kid } }) => ({
    'a token that another key signed': { key: 'foreign', header: { kid } },
  })),
  refuses(
    'embedded-key',
    'refuses a key that the token brings along',
    'Take keys from the key set of the issuer only: ignore jwk, jku, x5u and x5c of the header.',
    ({ issuer: { kid, url, foreignJwk } }) => ({
      'a token with its own key in jwk': { key: 'foreign', header: { kid, jwk: foreignJwk } },
      'a token with the address of its key in jku': { key: 'foreign', header: { kid, jku: `${url}${FOREIGN_PATH}` } },
    }),
  ),
  refuses('alg-none', 'refuses the algorithm none', ONLY_RS256, {
    'a token with alg none and no signature': { alter: (token) => withPart(withAlgorithm(token, 'none'), 2, '') },
    'a token with alg None and no signature': { alter: (token) => withPart(withAlgorithm(token, 'None'), 2, '') },
    'a token with alg none and a signature': { alter: (token) => withAlgorithm(token, 'none') },
  }),
  refuses('alg-hmac', 'refuses an HMAC under the public key', ONLY_RS256, ({ issuer: { publicKeyPem } }) => ({
    'an HS256 token under the public key': { alter: (token) => hmac(token, publicKeyPem) },
    'an HS256 token under the public key without its last line break': {
      alter: (token) => hmac(token, publicKeyPem.trimEnd()),
    },
    'an HS256 token under an empty key': { alter: (token) => hmac(token, '') },
  })),
  refuses('other-algorithm', 'refuses other algorithms than RS256', ONLY_RS256, {
    'a token with RS384': { algorithm: 'RS384' },
    'a token with RS512': { algorithm: 'RS512' },
    'a token with PS256': { algorithm: 'PS256' },
  }),
  refuses(
    'critical-header',
    'refuses a critical extension that it does not know',
    'Refuse a header with crit (RFC 7515, section 4.1.11): the token has rules that your library does not apply.',
    { 'a token with an unknown critical extension': { header: { crit: ['urn:x'], 'urn:x': true } } },
  ),
  refuses(
    'other-issuer',
    'refuses another issuer',
    'Compare iss exactly with the issuer of the platform: another environment may sign with the same keys.',
    ({ issuer: { url } }) => ({
      'a token of another issuer': { claims: { iss: 'https://other.example.com' } },
      'a token of an issuer that begins alike': { claims: { iss: `${url}.evil.example` } },
      'a token without iss': { claims: { iss: undefined } },
    }),
  ),
  refuses(
    'other-audience',
    'refuses a token for another module',
    'Compare aud exactly with the registered audience: every module gets tokens of this issuer, and could use them here.',
    ({ audience }) => ({
      'a token for another audience': { claims: { aud: 'another-module' } },
      'a token for an audience that begins alike': { claims: { aud: `${audience}-2` } },
      'a token for a list of other audiences': { claims: { aud: ['another-module', `${audience}-2`] } },
      'a token without aud': { claims: { aud: undefined } },
    }),
  ),
  refuses(
    'expired',
    'refuses an expired token',
    'Refuse a token after its exp, with a tolerance of at most 300 s: recordings could be sent again.',
    () => ({
      'a token that expired 330 s ago': { claims: { iat: time(-1230), exp: time(-330) } },
      'a token that expired a day ago': { claims: { iat: time(-87_300), exp: time(-86_400) } },
    }),
  ),
  refuses(
    'no-expiry',
    'refuses a token without an end',
    'Require exp: many libraries accept a token without it, forever.',
    {
      'a token without exp': { claims: { exp: undefined } },
      'a token whose exp is a text': { claims: { exp: 'never' } },
    },
  ),
  refuses(
    'not-yet-valid',
    'refuses a token before its nbf',
    'Refuse a token before its nbf (RFC 7519, section 4.1.5), with a tolerance of at most 300 s.',
    () => ({
      'a token that is valid in 330 s': { claims: { nbf: time(330) } },
      'a token that is valid in a day': { claims: { nbf: time(86_400), exp: time(87_300) } },
    }),
  ),
  refuses(
    'missing-claims',
    'refuses a token without a required claim',
    CHECK_CLAIMS,
    Object.fromEntries(
      ['tenant', 'client', 'user', 'role', 'entitlements'].map((name) => [
        `a token without ${name}`,
        { claims: { [name]: undefined } },
      ]),
    ),
  ),
  refuses('claim-types', 'refuses claims of another type', CHECK_CLAIMS, ({ entitlement = 'reports:read' }) => ({
    'a token whose tenant is a number': { claims: { tenant: 1 } },
    'a token whose user is an object': { claims: { user: { id: 'usr_1' } } },
    'a token whose client is empty': { claims: { client: '' } },
    'a token whose entitlements are a text': { claims: { entitlements: entitlement } },
  })),
  {
    name: 'missing-entitlement',
    title: 'answers 403 to a token without the entitlement',
    async run(receiver) {
      const { entitlement } = receiver;
      if (entitlement === undefined) return { skipped: 'No entitlement was given.' };
      const lists: Readonly<Record<string, readonly string[]>> = {
        'a token without entitlements': [],
        'a token with other entitlements': ['another:read', entitlement.toUpperCase()],
        'a token with entitlements that contain the name': [`x${entitlement}`, `${entitlement}x`],
      };
      for (const [what, entitlements] of Object.entries(lists)) {
        const { status, error } = await launch(receiver, { claims: { entitlements } });
        if (status === 403) continue;
        const problem =
          status === null ? `It gave no response to ${what}: ${error}` : `It answered ${status} to ${what}`;
        const advice = `Answer 403 with the code NOT_ENTITLED unless entitlements contains exactly "${entitlement}".`;
        return { problem, advice };
      }
      return null;
    },
  },
  {
    name: 'replay',
    title: 'accepts each token once',
    async run(receiver) {
      if (!receiver.once) return { skipped: 'Not requested: a token is valid until it expires.' };
      return (await findReplayed(receiver, 1)) ?? findReplayed(receiver, 5);
    },
  },
];

/** Returns the problem of a receiver that accepts a token again, at once with others or afterwards. */
async function findReplayed(receiver: Receiver, parallel: number) {
  const token = tokenOf(receiver);
  const advice = 'Store jti under a unique key until the token has expired, and refuse a known one.';
  const first = await Promise.all(Array.from({ length: parallel }, () => post(receiver, token)));
  const accepted = first.filter((response) => refusalOf(response, '', '') === null).length;
  if (accepted !== 1) {
    return { problem: `It accepted ${accepted} of ${parallel} launches with one token at once`, advice };
  }
  const { status } = await post(receiver, token);
  if (status !== null && status >= 400 && status < 500) return null;
  return { problem: `It answered ${status ?? 'nothing'} to a token that was used before`, advice };
}

function withPart(token: string, at: number, part: string): string {
  return token.split('.').with(at, part).join('.');
}

/** Returns a part of a token that is a JSON object: its header (0) or its claims (1). */
function objectIn(token: string, at: 0 | 1): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString());
}

/** Returns the claims of a token with a role that differs from theirs, which may be any. */
function withOtherRole(token: string): object {
  const claims = objectIn(token, 1);
  return { ...claims, role: claims['role'] === 'owner' ? 'member' : 'owner' };
}

function withAlgorithm(token: string, alg: string): string {
  return withPart(token, 0, encode({ ...objectIn(token, 0), alg }));
}

function hmac(token: string, key: string): string {
  const [header, claims] = withAlgorithm(token, 'HS256').split('.');
  const input = `${header}.${claims}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

/** Returns the signature of a token with one bit changed. */
function flipped(token: string): string {
  const bytes = Buffer.from(token.split('.')[2] ?? '', 'base64url');
  bytes.writeUInt8(bytes.readUInt8(10) ^ 1, 10);
  return bytes.toString('base64url');
}
