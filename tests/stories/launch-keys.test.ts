import { randomBytes } from 'node:crypto';
import { createLaunchVerifier } from '@plat/launch-token';
import { createTestServer, execute, select, type TestServer } from '@plat/server/testing';
import { describe, expect, inject, test, vi } from 'vitest';
import { apiOf } from '../support/api.ts';
import { freshDatabase, migratedDatabase } from '../support/database.ts';
import { dumpOf, sqliteFiles } from '../support/dump.ts';
import { fetchKeys, isSignedBy, launchWorld, type PublishedKeys, readToken } from '../support/launch.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';

/** Each command of the operator is a process, and the clock of the rotation advances by half a day. */
vi.setConfig({ testTimeout: 120_000 });

const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
const env = { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY };
const START = Date.parse('2026-06-01T00:00:00.000Z');
const SECOND = 1000;
const HOUR = 3600 * SECOND;
let now = START;
const clock = () => now;
const story = useServer({ clock, env });

const kidsOf = ({ keys }: PublishedKeys) => keys.map(({ kid }) => kid);
const published = async (server: TestServer = story.server) => kidsOf(await fetchKeys(server));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );

describe('the key set', () => {
  const get = (headers = {}, method = 'GET') =>
    fetch(`${story.server.baseUrl}/.well-known/jwks.json`, { headers, method });

  test('has the public members of the keys, and is cached for an hour', async () => {
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const { keys } = (await answer.json()) as PublishedKeys;
    expect(keys).toEqual([
      {
        kty: 'RSA',
        e: 'AQAB',
        n: expect.stringMatching(/^[\w-]{342}$/),
        kid: expect.stringMatching(/^[\w-]{43}$/),
        alg: 'RS256',
        use: 'sig',
      },
    ]);
  });

  test('is not sent again to a caller that has it', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const given of [etag, `"other", W/${etag}`, '*']) {
      const answer = await get({ 'if-none-match': given });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    const head = await get({}, 'HEAD');
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
  });

  test('of two servers that start at once on an empty database is the same, with one key', async () => {
    const database = await freshDatabase();
    const start = () => createTestServer({ databaseUrl: database.url, env });
    const servers = await Promise.all([start(), start(), start()]);
    try {
      const [first, ...others] = await Promise.all(servers.map((server) => published(server)));
      expect(first).toHaveLength(1);
      expect(others).toEqual([first, first]);
    } finally {
      for (const server of servers) await server.close();
      await database.drop();
    }
  });

  test('has the key of another process within ten seconds, and queries the database no more often', async () => {
    const database = await migratedDatabase();
    const server = await createTestServer({ databaseUrl: database.url, clock, env });
    const other = await createTestServer({ databaseUrl: database.url, clock, env });
    try {
      const before = await published(server);
      const { made } = (await other.rotateSigningKeys()) as { made: { kid: string } };
      now += 9_999;
      expect(await published(server)).toEqual(before);
      now += 1;
      expect((await published(server)).sort()).toEqual([made.kid, ...before].sort());
      expect(await published(other)).toEqual(await published(server));
    } finally {
      await server.close();
      await other.close();
      await database.drop();
    }
  });

  test('is served from memory while the database is unavailable', async () => {
    const before = await published();
    await execute(story.server.db, 'ALTER TABLE signing_keys RENAME TO away');
    now += HOUR;
    expect(await published()).toEqual(before);
    await execute(story.server.db, 'ALTER TABLE away RENAME TO signing_keys');
  });
});

describe('a rotation', () => {
  /** A separate server, because the test rotates its keys. */
  async function alone(work: (server: TestServer, databaseUrl: string) => Promise<void>): Promise<void> {
    const database = await migratedDatabase();
    const server = await createTestServer({ databaseUrl: database.url, clock, env });
    try {
      await work(server, database.url);
    } finally {
      await server.close();
      await database.drop();
    }
  }
  const states = async (server: TestServer) =>
    Object.fromEntries((await server.signingKeys()).map(({ kid, status }) => [kid, status]));

  test('moves a key through next, current, previous and retired, and refuses each step that comes too soon', () =>
    alone(async (server) => {
      const [first = ''] = await published(server);
      expect(await codeOf(server.retireSigningKey(first))).toBe('CONFLICT');

      const { made } = (await server.rotateSigningKeys()) as { made: { kid: string } };
      expect(await states(server)).toEqual({ [first]: 'current', [made.kid]: 'next' });
      now += 3610 * SECOND - 1;
      await expect(server.rotateSigningKeys()).rejects.toThrow(/rotate again in 1 s/);
      expect(await states(server)).toEqual({ [first]: 'current', [made.kid]: 'next' });
      now += 1;
      await server.rotateSigningKeys();
      expect(await states(server)).toEqual({ [first]: 'previous', [made.kid]: 'current' });

      now += 3900 * SECOND - 1;
      await expect(server.retireSigningKey(first)).rejects.toThrow(/retire it in 1 s/);
      now += 1;
      await server.retireSigningKey(first);
      expect(await states(server)).toEqual({ [first]: 'retired', [made.kid]: 'current' });
      now += 10 * SECOND;
      expect(await published(server)).toEqual([made.kid]);
      expect(await codeOf(server.retireSigningKey(first))).toBe('CONFLICT');
      expect(await codeOf(server.retireSigningKey('nobody'))).toBe('NOT_FOUND');
    }));

  test('that is requested many times at once is done once', () =>
    alone(async (server) => {
      const made = await Promise.all(Array.from({ length: 4 }, () => codeOf(server.rotateSigningKeys())));
      expect(made.filter((outcome) => outcome === 'done')).toHaveLength(1);
      now += 3610 * SECOND;
      const promoted = await Promise.all(Array.from({ length: 4 }, () => codeOf(server.rotateSigningKeys())));
      expect(promoted).toContain('done');
      const statuses = Object.values(await states(server)).sort();
      expect([
        ['current', 'previous'],
        ['current', 'next', 'previous'],
      ]).toContainEqual(statuses);
    }));

  test('that is forced, for a compromised key, signs with another key at once and removes the key from the set', () =>
    alone(async (server) => {
      const { tenantId, ownerId: userId, clients } = await launchWorld(server);
      const launch = () => server.launch({ tenantId, userId, clientId: clients[0], moduleSlug: 'analytics' });
      const [first = ''] = await published(server);
      const stolen = await launch();
      const { successor } = await server.retireSigningKey(first, { force: true });
      now += 10 * SECOND;
      expect(await published(server)).toEqual([successor?.kid]);
      expect(readToken(await launch()).header.kid).toBe(successor?.kid);
      expect(isSignedBy(await fetchKeys(server), stolen)).toBe(false);

      // A next key, however young, signs at once.
      const { made } = (await server.rotateSigningKeys()) as { made: { kid: string } };
      expect((await server.retireSigningKey(successor?.kid ?? '', { force: true })).successor?.kid).toBe(made.kid);
      await server.rotateSigningKeys();
      await server.rotateSigningKeys({ force: true });
      expect(readToken(await launch()).header.kid).not.toBe(made.kid);
      await server.retireSigningKey(made.kid, { force: true });
      expect(Object.values(await states(server)).sort()).toEqual(['current', 'retired', 'retired', 'retired']);
    }));

  // Independent of the database: 24 receivers verify each token, which takes most of the time of this file.
  test.runIf(inject('database').kind === 'sqlite')(
    'under load fails no token at receivers that fetch the key set once an hour and at no other time',
    () =>
      alone(async (server, databaseUrl) => {
        const { tenantId, ownerId: userId, clients, api } = await launchWorld(server);
        await api('/v1/settings', { method: 'PATCH', body: { launch_token_ttl_seconds: 3600 } });
        const other = await createTestServer({ databaseUrl, clock, env });
        const receivers = Array.from({ length: 24 }, (_, i) =>
          receiver(i % 2 ? server : other, now + i * 150 * SECOND),
        );
        const sent: { readonly token: string; readonly until: number }[] = [];
        const operator = operatorOf(server);
        // Our verifier, which fetches ahead, and for an unknown kid.
        const { baseUrl: issuer } = server;
        const own = createLaunchVerifier({ issuer, audience: 'analytics', now: clock });
        const kids = new Set<string>();
        const refused: unknown[] = [];
        let checks = 0;
        try {
          while (operator.stepsLeft() > 0) {
            now += ((sent.length * 29) % 71) * SECOND + 3 * SECOND;
            await operator.takeStep();
            for (const { fetchWhenDue } of receivers) await fetchWhenDue();
            const launch = { tenantId, userId, clientId: clients[0], moduleSlug: 'analytics' };
            const fresh = { token: await server.launch(launch), until: now + HOUR };
            kids.add(readToken(fresh.token).header.kid);
            // Each token is verified twice: at once, and at the last moment.
            for (const { token } of [fresh, ...sent.filter(({ until }) => until <= now)]) {
              for (const { accepts } of receivers) {
                const isGood = accepts(token);
                if (isGood !== null) checks++;
                if (isGood === false) refused.push({ hour: (now - START) / HOUR, kid: readToken(token).header.kid });
              }
            }
            expect((await own.verify(fresh.token)).user).toBe(userId);
            sent.push(fresh);
            while (sent[0] && sent[0].until <= now) sent.shift();
          }
        } finally {
          await other.close();
        }
        expect(refused).toEqual([]);
        expect(kids.size).toBe(4);
        expect(checks).toBeGreaterThan(10_000);
      }),
  );
});

test('a server with the wrong master key starts and serves the key set, and signs nothing', async () => {
  const { tenantId, ownerId: userId, clients } = await launchWorld(story.server);
  const strange = { ...env, PLAT_MASTER_KEY: randomBytes(32).toString('base64') };
  const server = await createTestServer({ databaseUrl: story.database.url, clock, env: strange });
  try {
    expect(await published(server)).toEqual(await published());
    const launch = { tenantId, userId, clientId: clients[0], moduleSlug: 'analytics' };
    await expect(server.launch(launch)).rejects.toThrow(/master key that is not configured/);
    const { body } = await apiOf(
      server.baseUrl,
      await server.mintKey(tenantId),
    )('/v1/audit/events?action=launch_token.issued');
    expect(body.data).toEqual([]);
  } finally {
    await server.close();
  }
});

describe('plat-server signing-keys', () => {
  test('rotates, retires and lists keys and prints the next step; an unsafe step is refused with the time when it is safe', async () => {
    const database = await migratedDatabase();
    const run = (...args: string[]) =>
      operate({ DATABASE_URL: database.url, PLAT_MASTER_KEY }, 'signing-keys', ...args);
    try {
      // Also before the first start of a server.
      await operate(database.url, 'migrate', 'up');
      const { json: next } = await run('rotate');
      expect(next).toEqual({
        kid: expect.any(String),
        status: 'next',
        note: expect.stringMatching(/rotate again from/),
      });
      const { json: keys } = await run('list');
      expect(keys).toMatchObject([
        { kid: next.kid, status: 'next', current_at: null, due: expect.stringMatching(/^may sign from 20/) },
        { status: 'current', replaced_at: null, due: null },
      ]);
      const current = keys[1].kid;
      for (const [args, message] of [
        [['rotate'], /published since .*: rotate again in 3\d{3} s/],
        [['retire', current], /the key is the current one; rotate until another key signs/],
        [['retire', 'nobody'], /there is no signing key nobody/],
      ] as const) {
        const answer = await run(...args);
        expect([answer.code, answer.stdout]).toEqual([1, '']);
        expect(answer.stderr).toMatch(message);
      }
      const { json: early } = await run('rotate', '--force');
      expect(early).toMatchObject({ kid: next.kid, status: 'current', note: expect.stringMatching(/unknown kid/) });
      expect((await run('retire', current)).stderr).toMatch(/may be valid until .*retire it in 3\d{3} s/);
      const { json: gone } = await run('retire', next.kid, '--force');
      expect(gone).toMatchObject({
        status: 'retired',
        note: expect.stringMatching(/tokens that it signed.* signs in its place/),
      });
    } finally {
      await database.drop();
    }
  });

  test('creates and promotes no key while PLAT_MASTER_KEY is not that of the servers', async () => {
    const database = await migratedDatabase();
    const run = (key: string, ...args: string[]) =>
      operate({ DATABASE_URL: database.url, PLAT_MASTER_KEY: key }, 'signing-keys', ...args);
    const other = randomBytes(32).toString('base64');
    const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/not configured: see plat-server secrets/) };
    const statuses = async () => (await run(other, 'list')).json.map(({ status }: { status: string }) => status);
    const server = await createTestServer({ databaseUrl: database.url, env });
    try {
      expect(await run(other, 'rotate')).toMatchObject(refused);
      expect(await statuses()).toEqual(['current']);
      await run(PLAT_MASTER_KEY, 'rotate');
      expect(await run(other, 'rotate', '--force')).toMatchObject(refused);
      expect(await statuses()).toEqual(['next', 'current']);
    } finally {
      await server.close();
      await database.drop();
    }
  });
});

test('no private key is in the database in clear, and keys that no longer sign have none at all', async () => {
  await story.server.rotateSigningKeys();
  now += 3610 * SECOND;
  await story.server.rotateSigningKeys();
  await story.server.rotateSigningKeys();
  const halves = async () =>
    (
      await select<{ status: string; private_key: Uint8Array | null }>(
        story.server.db,
        'SELECT status, private_key FROM signing_keys ORDER BY status',
      )
    ).map(({ status, private_key }) => [status, (private_key?.length ?? 0) > 1500]);
  expect(await halves()).toEqual([
    ['current', true],
    ['next', true],
    ['previous', false],
  ]);
  const dump = (await dumpOf(story.server)) + sqliteFiles(story.database.url);
  // The DER of every RSA private key has its version and the object id of RSA; its JWK has d, p and q.
  const der = Buffer.from('020100300d06092a864886f70d010101', 'hex');
  for (const trace of ['PRIVATE KEY', der.toString('latin1'), der.toString('base64').slice(0, 20), '"d":', '"p":']) {
    expect(dump.includes(trace), trace).toBe(false);
  }
  for (const { kid } of await story.server.signingKeys()) await story.server.retireSigningKey(kid, { force: true });
  expect(await halves()).toEqual([
    ['current', true],
    ['retired', false],
    ['retired', false],
    ['retired', false],
  ]);
});

/** A receiver that fetches the key set at a given time, and again every hour. */
function receiver(server: TestServer, from: number) {
  let due = from;
  let keys: PublishedKeys | undefined;
  return {
    async fetchWhenDue(): Promise<void> {
      if (now < due) return;
      keys = await fetchKeys(server);
      due = now + HOUR;
    },
    /** null before its first key set. */
    accepts: (token: string): boolean | null => (keys ? isSignedBy(keys, token) : null),
  };
}

/** An operator who takes each step of three rotations as soon as it is allowed. */
function operatorOf(server: TestServer) {
  let left = 9;
  return {
    stepsLeft: () => left,
    async takeStep(): Promise<void> {
      const previous = (await server.signingKeys()).find(({ status }) => status === 'previous');
      const step = previous ? server.retireSigningKey(previous.kid) : server.rotateSigningKeys();
      if ((await codeOf(step)) === 'done') left--;
    },
  };
}
