// Receiver of launch tokens with a fault. The path is /launch/<fault>/<port of the issuer>.
import { constants, createHash, createHmac, createPublicKey, publicDecrypt, verify } from 'node:crypto';
import { createServer } from 'node:http';

const { AUDIENCE, ENTITLEMENT } = process.env;
const CLAIMS = [
  'iss',
  'aud',
  'iat',
  'exp',
  'nbf',
  'jti',
  'tenant',
  'client',
  'user',
  'role',
  'entitlements',
  'groupId',
];
const KNOWN = [...CLAIMS, 'groupMemberships'];
const states = {};

const server = createServer(async (req, res) => {
  const url = new URL(req.url, 'http://localhost');
  const [, , fault, port] = url.pathname.split('/');
  let body = '';
  for await (const chunk of req) body += chunk;
  states[fault] ??= { issuer: `http://127.0.0.1:${port}`, keys: null, used: new Set(), running: 0 };
  const state = states[fault];
  const answer = (status, headers = {}) => res.writeHead(status, headers).end();
  if (fault === 'csrf' && req.headers.origin) return answer(403);
  if (fault === 'small-limit' && body.length > 8 * 1024) return answer(413);
  if (fault === 'serial' && state.running > 0) return answer(503);
  state.running += 1;
  try {
    const token =
      new URLSearchParams(body).get('launch_token') ??
      (fault === 'query' ? url.searchParams.get('launch_token') : null);
    const claims = await verifyToken(fault, token, state);
    const has =
      fault === 'substring'
        ? String(claims.entitlements).includes(ENTITLEMENT)
        : claims.entitlements?.includes(ENTITLEMENT);
    if (!has && fault !== 'no-entitlement') return answer(fault === 'wrong-status' ? 401 : 403);
    if (fault !== 'twice' && state.used.has(claims.jti)) return answer(401);
    state.used.add(claims.jti);
    if (fault === 'repost') return answer(307, { location: '/home' });
    answer(303, { location: '/home' });
  } catch {
    answer(fault === 'crash' ? 500 : 401);
  } finally {
    state.running -= 1;
  }
});

async function verifyToken(fault, token, state) {
  const [head, body, signature, ...more] = (token ?? '').split('.');
  if (more.length > 0) throw new Error('more than three parts');
  const header = JSON.parse(Buffer.from(head, 'base64url'));
  const text = Buffer.from(body, 'base64url').toString();
  if (fault === 'ascii' && /[^\0-\x7f]/.test(text)) throw new Error('not ASCII');
  if (fault !== 'ignores-crit' && header.crit) throw new Error('crit');
  const input = Buffer.from(`${head}.${body}`);
  const sent = Buffer.from(signature ?? '', 'base64url');
  if (fault === 'embedded-key' && header.jwk) {
    if (!verify('sha256', input, createPublicKey({ key: header.jwk, format: 'jwk' }), sent))
      throw new Error('signature');
  } else if (fault === 'alg-none' && /^none$/i.test(header.alg)) {
    // The algorithm of the token says that there is no signature.
  } else if (fault === 'alg-deny-list' && header.alg === 'None') {
    // The list of refused algorithms has one spelling of none, and the library accepts every spelling.
  } else if (fault !== 'no-verify') {
    const key = await keyOf(fault, header.kid, state);
    if (fault === 'alg-hmac' && header.alg === 'HS256') {
      const pem = key.export({ type: 'spki', format: 'pem' });
      if (!createHmac('sha256', pem).update(input).digest().equals(sent)) throw new Error('signature');
    } else if (fault === 'any-rsa') {
      if (!verify(`sha${header.alg.slice(2)}`, input, key, sent)) throw new Error('signature');
    } else {
      if (header.alg !== 'RS256') throw new Error('alg');
      const matches = fault === 'suffix' ? endsWithDigest(key, input, sent) : verify('sha256', input, key, sent);
      if (!matches) throw new Error('signature');
    }
  }
  const claims = JSON.parse(text);
  const seconds = Date.now() / 1000;
  const isIssuer = fault === 'issuer-prefix' ? claims.iss?.startsWith(state.issuer) : claims.iss === state.issuer;
  if (!isIssuer && fault !== 'no-issuer') throw new Error('iss');
  if (claims.aud !== AUDIENCE && fault !== 'no-audience') throw new Error('aud');
  const expires = fault === 'optional-exp' ? (claims.exp ?? seconds) : claims.exp;
  // Each comparison with NaN is false.
  const isCurrent = fault === 'text-exp' ? expires !== undefined && !(seconds - 30 >= expires) : seconds - 30 < expires;
  if (!isCurrent && fault !== 'no-expiry') throw new Error('exp');
  if (claims.nbf > seconds + 30 && fault !== 'no-nbf') throw new Error('nbf');
  if (fault === 'strict-claims' && Object.keys(claims).some((name) => !KNOWN.includes(name)))
    throw new Error('unknown');
  if (fault === 'needs-group' && !claims.groupId) throw new Error('groupId');
  if (fault !== 'no-claims') {
    const texts = ['tenant', 'client', 'user', 'role'];
    if (texts.some((name) => typeof claims[name] !== 'string' || claims[name] === '')) throw new Error('claims');
    if (fault !== 'substring' && !Array.isArray(claims.entitlements)) throw new Error('entitlements');
    if (claims.entitlements === undefined) throw new Error('entitlements');
  }
  return claims;
}

/** Compares only the end of the padded digest. */
function endsWithDigest(key, input, sent) {
  const padded = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, sent);
  return padded.subarray(-32).equals(createHash('sha256').update(input).digest());
}

async function keyOf(fault, kid, state) {
  const find = () =>
    fault === 'first-key'
      ? state.keys?.[0]
      : fault === 'last-key'
        ? state.keys?.at(-1)
        : state.keys?.find((key) => key.kid === kid);
  const isKnown = () => state.keys?.some((key) => key.kid === kid);
  if (!state.keys || fault === 'fetch-each' || (!isKnown() && fault !== 'no-refetch' && fault !== 'first-key')) {
    state.keys = (await (await fetch(`${state.issuer}/.well-known/jwks.json`)).json()).keys;
  }
  const jwk = find();
  if (!jwk) throw new Error('unknown kid');
  return createPublicKey({ key: jwk, format: 'jwk' });
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
