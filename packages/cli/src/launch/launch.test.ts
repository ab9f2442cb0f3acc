import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type FakeApi, fakeApi } from '../testing/fake-api.ts';
import { loggedInTo } from '../testing/logged-in.ts';
import { plat } from '../testing/plat.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const JWK = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' };
const T = 1_800_000_000;

const platform = (): Promise<FakeApi> => fakeApi(() => ({ body: { keys: [JWK] } }));

function mint(issuer: string, changes: Record<string, unknown> = {}): string {
  const claims = {
    ...{ iss: issuer, aud: 'analytics', iat: T - 10, exp: T + 890, tenant: 'tnt_1', client: 'cli_1', user: 'usr_1' },
    ...{ role: 'owner', entitlements: ['analytics:read'], ...changes },
  };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
}

/** Verifies at time T for the audience analytics, unless the arguments override them. */
function verify(api: FakeApi, token: string, ...args: string[]) {
  const given = ['launch', 'verify', '--audience', 'analytics', '--at', String(T), ...args];
  return plat(given, { env: { PLAT_BASE_URL: `${api.baseUrl}/` }, stdin: `${token}\n` });
}

describe('plat launch verify', () => {
  it('shows the claims of a token that is valid, with the base URL as its issuer', async () => {
    const api = await platform();
    const { code, stdout, stderr } = await verify(api, mint(api.baseUrl), '--json', '--entitlement', 'analytics:read');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      claims: { aud: 'analytics', user: 'usr_1' },
      expires_in: 890,
    });
    expect(api.received).toMatchObject([{ path: '/.well-known/jwks.json' }]);
    expect(api.received[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    ['is expired', { exp: T - 300, iat: T - 600 }, [], 'TOKEN_EXPIRED', /--at <time>/],
    [
      'is expired by more than the leeway',
      { iat: T - 100, exp: T - 20 },
      ['--leeway', '10'],
      'TOKEN_EXPIRED',
      /20 s ago/,
    ],
    ['is for another audience', { aud: 'other' }, [], 'AUDIENCE_MISMATCH', /exactly[\s\S]*plat modules list/],
    ['is of another issuer', { iss: 'https://other.example' }, [], 'ISSUER_MISMATCH', /--issuer/],
    ['lacks the capability', {}, ['--entitlement', 'x:y'], 'NOT_ENTITLED', /x:y/],
  ])('ends with 11 for a token that %s', async (_, changes, args, code, says) => {
    const api = await platform();
    const ended = await verify(api, mint(api.baseUrl, changes), ...args);
    expect([ended.code, ended.stdout]).toEqual([11, '']);
    expect(ended.stderr).toContain(code);
    expect(ended.stderr).toMatch(says);
  });

  it('ends with 11 for a modified token, and prints no part of it', async () => {
    const api = await platform();
    const [header = '', , signature = ''] = mint(api.baseUrl).split('.');
    const [, claims = ''] = mint(api.baseUrl, { role: 'admin' }).split('.');
    const { code, stderr } = await verify(api, `${header}.${claims}.${signature}`, '--json');
    expect([code, JSON.parse(stderr)]).toMatchObject([11, { error: { code: 'SIGNATURE_INVALID' }, exit_code: 11 }]);
    for (const part of [header, claims, signature]) expect(stderr).not.toContain(part);
  });

  it('accepts issuer and keys as options, and then needs no server', async () => {
    const api = await platform();
    const args = ['launch', 'verify', '--audience', 'analytics', '--at', String(T), '--issuer', 'https://plat.example'];
    const keys = ['--jwks-uri', `${api.baseUrl}/keys`];
    const ended = await plat([...args, ...keys], { stdin: mint('https://plat.example') });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(api.received).toMatchObject([{ path: '/keys' }]);
  });

  it('reports an invalid option, and the address without keys', async () => {
    const api = await fakeApi(() => ({ status: 404, body: {} }));
    expect((await verify(api, mint(api.baseUrl), '--leeway', '301')).code).toBe(2);
    const { code, stderr } = await verify(api, mint(api.baseUrl));
    expect([code, stderr]).toEqual([11, expect.stringMatching(/KEYS_UNAVAILABLE[\s\S]*404[\s\S]*--jwks-uri/)]);
    expect(stderr.split('404')).toHaveLength(2);
  });

  it('reports once why keys could not be fetched, with the network error', async () => {
    const port = await closedPort();
    const { code, stderr } = await verify(await platform(), mint('x'), '--issuer', `http://127.0.0.1:${port}`);
    expect(code).toBe(11);
    expect(stderr).toMatch(/ECONNREFUSED/);
    expect(stderr.split('fetch failed')).toHaveLength(2);
  });
});

describe('plat launch decode', () => {
  it('shows header and claims without the signature, and that nothing is verified', async () => {
    const token = mint('https://plat.example');
    const { code, stdout, stderr } = await plat(['launch', 'decode'], { stdin: token });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Not verified')]);
    expect(stdout).toMatch(/^verified +false$/m);
    expect(stdout).toMatch(/^claims.aud +analytics$/m);
    expect(stdout).toMatch(/^header.kid +k1$/m);
    expect(stdout).not.toContain(token.split('.')[2]);
  });

  it.each([
    ['ended', -90, /1 min ago/, true],
    ['is still valid', 7200, /in (?:2 h|1 h)/, false],
  ])('describes in words that a token %s', async (_, seconds, words, expired) => {
    const exp = Math.floor(Date.now() / 1000) + seconds;
    const { stdout } = await plat(['launch', 'decode', '--json'], { stdin: mint('x', { exp }) });
    expect(JSON.parse(stdout)).toMatchObject({ verified: false, expired, expires: expect.stringMatching(words) });
  });

  it('accepts the JSON of plat launch mint --json', async () => {
    const { code } = await plat(['launch', 'decode'], { stdin: JSON.stringify({ token: mint('x') }) });
    expect(code).toBe(0);
  });

  it.each(['', 'token', 'a.b.c', '{}', '{"token":1}'])('refuses %j', async (stdin) => {
    const { code, stdout, stderr } = await plat(['launch', 'decode'], { stdin });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('UNREADABLE_INPUT')]);
  });

  it('refuses a token on the command line, and does not repeat it', async () => {
    const token = mint('x');
    const { code, stderr } = await plat(['launch', 'decode', token]);
    expect(code).toBe(2);
    expect(stderr).not.toContain(token.slice(0, 20));
  });
});

describe('plat launch mint', () => {
  const MINTED = {
    ...{ object: 'launch_token', token: 'eyJ.e30.x', module: 'analytics', launch_url: 'http://127.0.0.1:4020/launch' },
    ...{ issuer: 'http://127.0.0.1', audience: 'analytics', expires_at: '2026-01-02T03:04:05.678Z' },
  };

  it('prints only the token on stdout, and its purpose on stderr', async () => {
    const api = await fakeApi(() => ({ body: MINTED }));
    const ended = await plat(['launch', 'mint', '--module', 'analytics'], { env: loggedInTo(api) });
    expect([ended.code, ended.stdout]).toEqual([0, `${MINTED.token}\n`]);
    expect(ended.stderr).toContain(MINTED.launch_url);
    expect(ended.stderr).not.toContain(MINTED.token);
  });

  it("prints the API's JSON with --json", async () => {
    const api = await fakeApi(() => ({ body: MINTED }));
    const ended = await plat(['launch', 'mint', '--module', 'analytics', '--json'], { env: loggedInTo(api) });
    expect([JSON.parse(ended.stdout), ended.stderr]).toEqual([MINTED, '']);
  });
});

/** Returns a port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
