import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, fakeApi, type Received, refusal } from '../testing/fake-api.ts';
import { homeWith } from '../testing/logged-in.ts';
import { emptyFolder, envFor, KEY, plat } from '../testing/plat.ts';
import type { Check } from './check.ts';

const ENDPOINT = {
  object: 'webhook_endpoint',
  id: 'whe_1',
  url: 'https://example.com/hooks',
  status: 'enabled',
  failing_since: null,
  paused_until: null,
  missed_since: null,
};

/** Starts a healthy server, with the given deviations. */
function server(others: Readonly<Record<string, (request: Received) => Answer>> = {}, endpoints: object[] = []) {
  const me = { object: 'me', tenant_id: 'tnt_1', credential_type: 'api_key', scopes: ['me:read', 'webhooks:read'] };
  return fakeApi((request) => {
    const other = others[request.path];
    if (other) return other(request);
    if (request.path === '/readyz') return { body: {} };
    if (request.path === '/v1/me') return { body: me };
    return { body: { object: 'list', data: endpoints, has_more: false, url: request.path } };
  });
}

async function doctor(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const ended = await plat(['doctor', '--json', ...args], { env: { HOME: emptyFolder(), ...env } });
  const { checks, ok }: { checks: Check[]; ok: boolean } = JSON.parse(ended.stdout);
  return { ...ended, ok, checks, named: (name: string) => checks.filter((check) => check.name === name) };
}

describe('plat doctor', () => {
  it('reports no problem on a healthy setup, and shows no key', async () => {
    const { code, ok, checks, stdout, stderr } = await doctor(envFor(await server()));
    expect([code, ok, stderr]).toEqual([0, true, '']);
    // Windows has no file modes to check.
    const files = process.platform === 'win32' ? [] : ['files'];
    expect(checks.map(({ name, status }) => [name, status])).toEqual(
      ['node', ...files, 'profiles', 'connection', 'server', 'clock', 'key', 'webhooks'].map((name) => [name, 'ok']),
    );
    expect(stdout).toContain('from PLAT_API_KEY');
    expect(stdout).not.toContain(KEY);
  });

  it('prints lines, with the next step below each failure', async () => {
    const { code, stdout, stderr } = await plat(['doctor'], { env: { HOME: emptyFolder() } });
    expect(code).toBe(11);
    expect(stdout).toMatch(/^ok +node +plat .* on Node\.js /m);
    expect(stdout).toMatch(/^fail +connection +There is no API key.*\n +next: Start a sandbox of your own: plat dev /m);
    expect(stderr).toMatch(/^error: Failed checks: connection \(DOCTOR_FAILED\)$/m);
  });

  it('fails when nothing listens at the address', async () => {
    const { code, named } = await doctor(envFor({ baseUrl: 'http://127.0.0.1:2' }));
    expect(code).toBe(11);
    expect(named('server')).toMatchObject([{ status: 'fail', message: expect.stringContaining('ECONNREFUSED') }]);
    expect(named('key')).toEqual([]);
  });

  it('says that the server does not speak TLS', async () => {
    const { baseUrl } = await server();
    const { named } = await doctor(envFor({ baseUrl: baseUrl.replace('http:', 'https:') }));
    const message = expect.stringMatching(/\(\w+\): The answer is not TLS: the port serves http/);
    expect(named('server')).toMatchObject([{ status: 'fail', message, next: 'Check the address.' }]);
  });

  it('shows how to start the sandbox of this folder, in a clone or beside an application', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, '.plat'));
    const sandbox = { base_url: 'http://127.0.0.1:2', tenant_id: 'tnt_1', api_key: KEY };
    writeFileSync(join(cwd, '.plat', 'sandbox.json'), JSON.stringify(sandbox));
    const { stdout } = await plat(['doctor'], { env: { HOME: emptyFolder() }, cwd });
    expect(stdout).toContain('next: Start the sandbox: plat dev (in a clone of the repository: npm start)');
  });

  it('fails when the server is not ready', async () => {
    const api = await server({ '/readyz': () => ({ status: 503, body: {} }) });
    expect((await doctor(envFor(api))).named('server')).toMatchObject([{ status: 'fail' }]);
  });

  it.each([
    [-10, 'ok'],
    [120, 'warn'],
    [-120, 'warn'],
    [400, 'fail'],
    [-400, 'fail'],
  ])('rates a clock difference of %i s as %s', async (seconds, status) => {
    const date = () => new Date(Date.now() + seconds * 1000).toUTCString();
    const api = await server({ '/readyz': () => ({ body: {}, headers: { date: date() } }) });
    expect((await doctor(envFor(api))).named('clock')).toMatchObject([{ status }]);
  });

  it.each([
    [{ now: 31 * 3600, frozen: false }, 'the development clock is 1 d ahead of real time'],
    [{ now: -7260, frozen: true }, 'the development clock is frozen, 2 h behind real time'],
  ])('warns of a development clock that was moved: %j', async ({ now, frozen }, message) => {
    const clock = () => ({ body: { now: new Date(Date.now() + now * 1000 + 500).toISOString(), frozen } });
    const { code, named } = await doctor(envFor(await server({ '/_dev/clock': clock })));
    expect(code).toBe(0);
    expect(named('dev clock')).toMatchObject([{ status: 'warn', next: 'plat dev clock reset' }]);
    expect(named('dev clock')[0]?.message).toContain(message);
  });

  it('warns of a request log that begins in the future', async () => {
    const newest = { id: 'req_1', created_at: new Date(Date.now() + 31 * 3_600_000).toISOString() };
    const api = await server({
      '/v1/me': () => ({
        body: { object: 'me', tenant_id: 'tnt_1', credential_type: 'api_key', scopes: ['audit:read'] },
      }),
      '/v1/requests': ({ path }) => ({ body: { object: 'list', data: [newest], has_more: false, url: path } }),
    });
    const { named } = await doctor(envFor(api));
    expect(named('request log')).toMatchObject([
      { status: 'warn', next: expect.stringContaining('plat sandbox reset') },
    ]);
  });

  it('reports why a key does not work', async () => {
    const api = await server({ '/v1/me': () => refusal(401, 'INVALID_TOKEN') });
    const { code, named } = await doctor(envFor(api));
    expect(code).toBe(11);
    expect(named('key')).toMatchObject([{ status: 'fail', message: expect.stringContaining('INVALID_TOKEN') }]);
  });

  it.each([
    ['is disabled', { status: 'disabled' }, 'plat webhooks endpoints update whe_1 --status enabled'],
    ['is failing', { failing_since: '2026-01-02T03:04:05.678Z' }, 'plat webhooks deliveries list'],
    ['missed events', { missed_since: '2026-01-02T03:04:05.678Z' }, 'plat webhooks replays create --endpoint-id whe_1'],
  ])('warns of an endpoint that %s', async (what, state, next) => {
    const { code, named } = await doctor(envFor(await server({}, [ENDPOINT, { ...ENDPOINT, ...state }])));
    expect(code).toBe(0);
    expect(named('webhooks')).toMatchObject([{ status: 'warn', next: expect.stringContaining(next) }]);
    expect(named('webhooks')[0]?.message).toContain(what);
  });

  it.skipIf(process.platform === 'win32')(
    'warns of secrets that other users can read, and fixes that with --fix',
    async () => {
      const env = { ...homeWith({ version: 1, current: null, profiles: {} }), ...envFor(await server()) };
      const listen = join(String(env['HOME']), '.local', 'state', 'plat', 'listen');
      const secret = join(listen, 'tnt_1.secret');
      mkdirSync(listen, { recursive: true });
      writeFileSync(secret, 'whsec_x');
      for (const path of [listen, dirname(listen)]) chmodSync(path, 0o755);
      chmodSync(secret, 0o644);
      expect((await doctor(env)).named('files')).toMatchObject([
        { status: 'warn', message: expect.stringContaining(secret), next: 'plat doctor --fix' },
      ]);
      expect(statSync(secret).mode & 0o777).toBe(0o644);
      expect((await doctor(env, ['--fix'])).named('files')).toMatchObject([{ status: 'ok' }]);
      expect([statSync(secret).mode & 0o777, statSync(listen).mode & 0o777]).toEqual([0o600, 0o700]);
    },
  );

  describe.skipIf(process.platform === 'win32')('of what a sandbox keeps', () => {
    const NAMES = ['sandbox.json', 'master.key', 'plat.db', 'plat.db-wal', 'plat.db-shm'];

    /** Creates a data folder of this mode with world-readable files. */
    async function dataFolder(mode: number) {
      const folder = emptyFolder();
      const { PLAT_BASE_URL: base_url } = envFor(await server());
      for (const name of NAMES) writeFileSync(join(folder, name), JSON.stringify({ base_url, api_key: KEY }));
      for (const name of NAMES) chmodSync(join(folder, name), 0o644);
      chmodSync(folder, mode);
      const modes = () => NAMES.map((name) => statSync(join(folder, name)).mode & 0o777);
      return { folder, env: { PLAT_DATA_DIR: folder }, modes };
    }

    it.each([0o755, 0o700])(
      'finds the master key and the database in a folder of mode %o, and fixes that with --fix',
      async (mode) => {
        const { folder, env, modes } = await dataFolder(mode);
        const [found] = (await doctor(env)).named('files');
        expect(found?.status).toBe('warn');
        for (const name of NAMES) expect(found?.message).toContain(join(folder, name));
        expect((await doctor(env, ['--fix'])).named('files')).toMatchObject([{ status: 'ok' }]);
        expect(modes()).toEqual(NAMES.map(() => 0o600));
        // The folder may belong to a project.
        expect(statSync(folder).mode & 0o777).toBe(mode);
        expect((await doctor(env)).named('files')).toMatchObject([{ status: 'ok' }]);
      },
    );
  });
});
