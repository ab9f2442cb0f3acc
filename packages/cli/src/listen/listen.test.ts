import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { verify } from '@plat/webhooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refusal } from '../testing/fake-api.ts';
import {
  APP_ID,
  appEventAt,
  eventAt,
  type FakeTenant,
  fakeTenant,
  type LocalApp,
  localApp,
  TENANT_ID,
} from '../testing/fake-tenant.ts';
import { LOGIN, loggedInTo } from '../testing/logged-in.ts';
import { type CliResult, emptyFolder, envFor, plat } from '../testing/plat.ts';

// Many socket and file operations are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const T = Date.UTC(2026, 0, 2);

let tenant: FakeTenant;
let app: LocalApp;
let home: string;
beforeEach(async () => {
  [tenant, app] = await Promise.all([fakeTenant(), localApp()]);
  home = emptyFolder();
});

interface Listening {
  /** Resolves to the content of the ready file once the listener is ready. */
  readonly ready: Promise<Readonly<Record<string, string>>>;
  readonly ended: Promise<CliResult>;
  /** Number of waits. */
  readonly waits: readonly number[];
}

/** Runs `plat listen` in this process; waits return at once. */
function listen(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Listening {
  const readyFile = join(emptyFolder(), 'ready.json');
  const waits: number[] = [];
  const absent = Object.entries({ '--to': app.url, '--ready-file': readyFile }).filter(
    ([name]) => !args.includes(name),
  );
  const ended = plat(['listen', ...absent.flat(), ...args], {
    env: { ...envFor(tenant), HOME: home, ...env },
    async wait(ms) {
      waits.push(ms);
      await turn();
    },
  });
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  ended.then(over, over);
  const ready = (async () => {
    while (!existsSync(readyFile)) {
      if (isOver) throw new Error('it ended before it was ready');
      await turn();
    }
    return JSON.parse(readFileSync(readyFile, 'utf8'));
  })();
  // Only some tests wait for it.
  ready.catch(() => undefined);
  return { ready, ended, waits };
}

/** Returns the received events by their `eventAt` numbers. */
const numbers = () => app.received.map(({ id }) => Number(id.slice(-6)));
const lines = ({ stdout }: CliResult) => stdout.trimEnd().split('\n');
const jsonLines = (ended: CliResult) => lines(ended).map((line) => JSON.parse(line));
const secretOf = ({ stderr }: CliResult) => /whsec_\S+/.exec(stderr)?.[0] ?? '';

describe('plat listen', () => {
  it('forwards new events, signed with the printed secret', async () => {
    tenant.add(eventAt(T, 1), eventAt(T + 1, 2));
    const { ready, ended } = listen(['--once', '2']);
    await ready;
    tenant.add(eventAt(T + 1000, 3), eventAt(T + 1001, 4));
    const done = await ended;
    expect(done.code).toBe(0);
    expect(numbers()).toEqual([3, 4]);
    for (const { body, headers } of app.received) verify(body, headers, { secrets: secretOf(done) });
    expect(done.stderr).toContain(`Ready: forwarding events of ${TENANT_ID} to ${app.url}\n`);
    const { id } = eventAt(T + 1000, 3);
    expect(lines(done)[0]).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  client.created +${id}  204 +\\d+ ms$`));
  });

  it('forwards late events with earlier ids, but no events from before its start', async () => {
    // More than a page.
    tenant.add(eventAt(T, 1), ...Array.from({ length: 120 }, (_, n) => eventAt(T - 900_000 + n, 100 + n)));
    const { ready, ended } = listen(['--once', '1']);
    await ready;
    tenant.add(eventAt(T - 600_000, 2));
    await ended;
    expect(numbers()).toEqual([2]);
  });

  it('starts although the server sends empty pages that say there are more', async () => {
    tenant.isStalled = true;
    const { ready, ended } = listen(['--once']);
    await ready;
    tenant.isStalled = false;
    tenant.add(eventAt(T, 1));
    await ended;
    expect(numbers()).toEqual([1]);
  });

  it('continues where it stopped, with the same secret', async () => {
    const first = listen(['--once', '2']);
    await first.ready;
    tenant.add(eventAt(T, 1), eventAt(T + 1, 2), eventAt(T + 2, 3));
    const before = await first.ended;
    tenant.add(eventAt(T + 5000, 4), eventAt(T - 5000, 5));
    const after = await listen(['--once', '3']).ended;
    expect(numbers()).toEqual([1, 2, 5, 3, 4]);
    expect(secretOf(before)).toMatch(/^whsec_.{43}$/);
    expect(secretOf(after)).toBe(secretOf(before));
    const folder = join(home, '.local', 'state', 'plat', 'listen');
    const files = readdirSync(folder);
    expect(files.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['cursor', 'secret']);
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('skips missed events with --skip-history, and starts earlier with --since', async () => {
    const first = listen(['--once']);
    await first.ready;
    tenant.add(eventAt(T, 1));
    await first.ended;
    tenant.add(eventAt(T + 1000, 2));
    const second = listen(['--once', '--skip-history']);
    await second.ready;
    tenant.add(eventAt(T + 2000, 3));
    await second.ended;
    expect(numbers()).toEqual([1, 3]);
    await listen(['--once', '2', '--since', new Date(T + 500).toISOString()]).ended;
    expect(numbers()).toEqual([1, 3, 2, 3]);
  });

  it('forwards only the selected types, and never returns to the others', async () => {
    const first = listen(['--events', 'client.created', '--events', 'user.invited,group.created', '--once', '2']);
    await first.ready;
    tenant.add(eventAt(T, 1, 'client.updated'), eventAt(T + 1, 2), eventAt(T + 2, 3, 'group.created'));
    await first.ended;
    tenant.add(eventAt(T + 3, 4, 'client.deleted'));
    await listen(['--once']).ended;
    expect(numbers()).toEqual([2, 3, 4]);
  });

  it('has a separate cursor and secret for each target', async () => {
    const other = await localApp();
    const [here, there] = [listen(['--once']), listen(['--to', other.url, '--once'])];
    const [a, b] = await Promise.all([here.ready, there.ready]);
    expect(a['cursor_file']).not.toBe(b['cursor_file']);
    tenant.add(eventAt(T, 1));
    const ends = await Promise.all([here.ended, there.ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect([app.received.length, other.received.length]).toEqual([1, 1]);
    expect(secretOf(ends[0])).not.toBe(secretOf(ends[1]));
  });

  it('refuses a second listener with the same cursor', async () => {
    const first = listen(['--once']);
    await first.ready;
    const second = await listen(['--once', '--json']).ended;
    expect([second.code, second.stdout]).toEqual([6, '']);
    expect(JSON.parse(second.stderr)).toMatchObject({
      error: { code: 'LISTENER_RUNNING', next: expect.stringContaining('--cursor-file') },
    });
    tenant.add(eventAt(T, 1));
    expect((await first.ended).code).toBe(0);
  });

  it('uses the given files, and the existing secret', async () => {
    const folder = emptyFolder();
    const [secretFile, cursorFile] = [join(folder, 's'), join(folder, 'c')];
    writeFileSync(secretFile, 'whsec_mine\n');
    const { ready, ended } = listen(['--once', '--secret-file', secretFile, '--cursor-file', cursorFile], {
      HOME: '',
    });
    expect(await ready).toEqual({
      pid: process.pid,
      tenant_id: TENANT_ID,
      to: app.url,
      secret_file: secretFile,
      cursor_file: cursorFile,
    });
    tenant.add(eventAt(T, 1));
    const done = await ended;
    expect(done.stdout + done.stderr).not.toContain('whsec_');
    for (const { body, headers } of app.received) verify(body, headers, { secrets: 'whsec_mine' });
    expect(readdirSync(folder).sort()).toEqual(['c', 's']);
  });

  it.each([
    ['a home folder', [], { HOME: '' }, 'UNWRITABLE_STATE', 1],
    ['a file for the secret', ['--secret-file', '/'], {}, 'UNREADABLE_STATE', 2],
    ['a secret in the file', ['--secret-file', '/dev/null'], {}, 'UNREADABLE_STATE', 2],
    ['a cursor in the file', ['--cursor-file', '/dev/null'], {}, 'UNREADABLE_STATE', 2],
    ['a ready file that can be written', ['--ready-file', '/dev/null/x'], {}, 'UNWRITABLE_STATE', 1],
    ['a type that there is', ['--events', 'client.create'], {}, 'USAGE', 2],
    ['a command that there is', ['--', 'no-such-command-of-plat'], {}, 'USAGE', 2],
  ])('without %s ends before it is ready', async (_, args, env, code, exitCode) => {
    const ended = await listen(['--json', ...args], env).ended;
    expect([ended.code, JSON.parse(ended.stderr).error.code]).toEqual([exitCode, code]);
  });

  it('removes its ready file at the end, and a stale one at the start', async () => {
    const folder = emptyFolder();
    const file = join(folder, 'ready.json');
    writeFileSync(file, '{}');
    tenant.answer = refusal(401, 'INVALID_TOKEN');
    expect((await listen(['--ready-file', file]).ended).code).toBe(4);
    tenant.answer = null;
    const { ended } = listen(['--ready-file', file, '--once']);
    await expect.poll(() => existsSync(file)).toBe(true);
    tenant.add(eventAt(T, 1));
    await ended;
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the responses of the application', () => {
  it('are JSON, one object per line, with --json or --ndjson', async () => {
    app.respond = (_req, res) => res.writeHead(app.received.length === 1 ? 500 : 200).end();
    const { ready, ended } = listen(['--ndjson', '--once']);
    await ready;
    tenant.add(eventAt(T, 1));
    const done = await ended;
    const known = { event_id: eventAt(T, 1).id, type: 'client.created', duration_ms: expect.any(Number) };
    expect(jsonLines(done)).toEqual([
      { ...known, status: 500, attempt: 1, outcome: 'retrying' },
      { ...known, status: 200, attempt: 2, outcome: 'delivered' },
    ]);
    expect(done.stderr).toBe('');
  });

  it('that refuse an event four times are reported with the command that resends it; the next event follows', async () => {
    app.respond = (req, res) => {
      const id = String(req.headers['x-platform-event-id']);
      res.writeHead(id.endsWith('1') ? 422 : 200).end();
    };
    const { ready, ended } = listen(['--once']);
    const { secret_file: secretFile } = await ready;
    tenant.add(eventAt(T, 1), eventAt(T + 1, 2));
    const done = await ended;
    expect(numbers()).toEqual([1, 1, 1, 1, 2]);
    expect(lines(done)[3]).toMatch(/ 422 +\d+ ms {2}attempt 4, gave up$/);
    const { id } = eventAt(T, 1);
    expect(done.stderr).toContain(
      `${id} was not accepted. To send it again: plat webhooks events get ${id} --json | plat webhooks send - --to '${app.url}' --secret-file '${secretFile}'`,
    );
  });

  it('that are missing, since nothing listens, are waited for with a note', async () => {
    await app.down();
    const { ready, ended, waits } = listen(['--once', '2']);
    await ready;
    tenant.add(eventAt(T, 1), eventAt(T + 1, 2));
    await expect.poll(() => waits.length).toBeGreaterThan(20);
    await app.up();
    const done = await ended;
    expect(numbers()).toEqual([1, 2]);
    expect(done.stderr.match(/Nothing listens at/g)).toHaveLength(1);
    expect(lines(done)[0]).toMatch(/ --- +\d+ ms {2}connect ECONNREFUSED/);
  });
});

describe('a server that', () => {
  it('is unreachable is retried, with a note at the start and at the end', async () => {
    const { ready, ended, waits } = listen(['--once']);
    await ready;
    tenant.answer = refusal(503, 'SERVICE_UNAVAILABLE');
    const start = waits.length;
    await expect.poll(() => waits.length - start).toBeGreaterThan(8);
    tenant.add(eventAt(T, 1));
    tenant.answer = null;
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr.match(/SERVICE_UNAVAILABLE.*Retrying until it responds\.\n/g)).toHaveLength(1);
    expect(stderr.match(/The server responds again\.\n/g)).toHaveLength(1);
    expect(waits).toEqual(expect.arrayContaining([500, 2000, 4000, 8000, 10_000]));
  });

  it('sends Retry-After is not called before it', async () => {
    const { ready, ended, waits } = listen(['--once']);
    await ready;
    tenant.answer = { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '37' } };
    await expect.poll(() => waits.includes(37_000)).toBe(true);
    tenant.add(eventAt(T, 1));
    tenant.answer = null;
    expect((await ended).code).toBe(0);
  });

  it('reports few remaining requests is polled less often', async () => {
    const headers = { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '149', 'x-ratelimit-reset': '1800000000' };
    const { ready, ended, waits } = listen(['--once']);
    await ready;
    tenant.answer = { body: { object: 'list', data: [], has_more: false, url: '/' }, headers };
    await expect.poll(() => waits.at(-1)).toBe(5000);
    tenant.add(eventAt(T, 1));
    tenant.answer = null;
    expect((await ended).code).toBe(0);
  });

  it.each([
    [401, 'INVALID_TOKEN', 4],
    [403, 'INSUFFICIENT_SCOPE', 3],
  ])('refuses the key with %i ends it', async (status, code, exitCode) => {
    const { ready, ended } = listen();
    await ready;
    tenant.answer = refusal(status, code);
    const done = await ended;
    expect(done.code).toBe(exitCode);
    expect(done.stderr).toContain(code);
  });

  it('refuses the list of events ends it before its command starts, with a known cursor too', async () => {
    tenant.add(eventAt(T, 1));
    await listen(['--once', '1', '--since', '2025-01-01T00:00:00Z']).ended;
    tenant.answer = ({ path }) => (path === '/v1/me' ? null : refusal(403, 'INSUFFICIENT_SCOPE'));
    const done = await listen(['--', process.execPath, '-e', "console.log('started')"]).ended;
    expect(done.code).toBe(3);
    expect(done.stderr).not.toMatch(/^(?:started|Ready)/m);
    expect(openCursors()).toEqual([]);
  });

  it('has suspended the tenant is retried', async () => {
    const { ready, ended, waits } = listen(['--once']);
    await ready;
    tenant.answer = refusal(403, 'TENANT_SUSPENDED');
    const start = waits.length;
    await expect.poll(() => waits.length - start).toBeGreaterThan(3);
    tenant.add(eventAt(T, 1));
    tenant.answer = null;
    expect((await ended).code).toBe(0);
  });

  it('is not the API ends it at the start, but not later', async () => {
    tenant.answer = { status: 404, body: 'nothing here' };
    expect((await listen().ended).code).toBe(8);
    tenant.answer = null;
    const { ready, ended, waits } = listen(['--once']);
    await ready;
    tenant.answer = { status: 404, body: 'nothing here' };
    const start = waits.length;
    await expect.poll(() => waits.length - start).toBeGreaterThan(3);
    tenant.add(eventAt(T, 1));
    tenant.answer = null;
    expect((await ended).code).toBe(0);
  });
});

/** Returns the cursor files that this process has open. Node 26 ends a process that loses one. */
function openCursors(): string[] {
  if (process.platform !== 'linux') return [];
  const folder = '/proc/self/fd';
  const paths = readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
  return paths.filter((path) => path.endsWith('.cursor'));
}

describe('the command behind --', () => {
  const node = (script: string) => ['--', process.execPath, '-e', script];

  it('receives the secret in its environment, and sets the exit code of plat', async () => {
    const script = 'console.log(process.env.PLAT_WEBHOOK_SECRET, process.argv.length); process.exitCode = 23';
    const { code, stdout, stderr } = await listen(node(script)).ended;
    expect([code, stdout]).toEqual([23, '']);
    expect(stderr).toMatch(/^whsec_\S{43} 1$/m);
    expect(stderr).not.toContain('Signing secret');
  });

  it('that a signal ends sets the exit code to 128 plus its number', async () => {
    expect((await listen(node('process.kill(process.pid, "SIGKILL")')).ended).code).toBe(137);
  });

  it('is stopped when the listener ends', async () => {
    const { ready, ended } = listen(['--once', ...node('setInterval(() => {}, 1e9)')]);
    await ready;
    tenant.add(eventAt(T, 1));
    expect((await ended).code).toBe(0);
  });
});

describe('plat listen --app', () => {
  /** Listens with the login; the environment has no key. */
  const listenToApp = (...args: string[]) =>
    listen(['--app', APP_ID, ...args], { ...loggedInTo(tenant), PLAT_API_KEY: '' });

  it('forwards the events of the app with the login, unchanged and signed', async () => {
    const { ready, ended } = listenToApp('--once', '2');
    expect(await ready).toMatchObject({ app_id: APP_ID, to: app.url });
    const sent = [appEventAt(T, 1, 'installation.authorized'), appEventAt(T + 1, 2, 'installation.reuse_detected')];
    tenant.add(...sent);
    const done = await ended;
    expect(done.code).toBe(0);
    expect(done.stderr).toContain(`Ready: forwarding events of ${APP_ID} to ${app.url}\n`);
    const received = app.received.map(({ body, headers }) => verify(body, headers, { secrets: secretOf(done) }));
    expect(received).toEqual(sent);
    expect(lines(done)[0]).toMatch(/ {2}installation\.authorized {6}evt_\w{26} {2}204 /);
    expect(lines(done)[1]).toMatch(/ {2}installation\.reuse_detected {2}evt_\w{26} {2}204 /);
    for (const { path, headers } of tenant.received) {
      expect(path).toContain(`/developer/v1/apps/${APP_ID}`);
      expect(headers.authorization).toBe(`Bearer ${LOGIN.token}`);
      expect(headers['user-agent']).toContain(' plat-listen');
    }
  });

  it('forwards the selected types, and continues where it stopped, beside a listener of the tenant', async () => {
    const env = loggedInTo(tenant);
    const ofApp = (...args: string[]) => listen(['--app', APP_ID, ...args], { ...env, PLAT_API_KEY: '' });
    const first = ofApp('--events', 'app.disabled,app.enabled', '--once');
    const { secret_file: secretFile } = await first.ready;
    tenant.add(appEventAt(T, 1, 'app.secret_rotated'), appEventAt(T + 1, 2, 'app.disabled'));
    await first.ended;
    tenant.add(appEventAt(T + 2, 3, 'app.enabled'));
    expect((await ofApp('--once').ended).code).toBe(0);
    expect(numbers()).toEqual([2, 3]);
    const ofTenant = listen(['--once'], env);
    expect((await ofTenant.ready)['secret_file']).not.toBe(secretFile);
    tenant.add(eventAt(T + 3, 4));
    await ofTenant.ended;
  });

  it('gives the secret to the command in PLAT_APP_WEBHOOK_SECRET, beside that of the tenant', async () => {
    const script = 'console.log(process.env.PLAT_APP_WEBHOOK_SECRET, process.env.PLAT_WEBHOOK_SECRET)';
    const env = { ...loggedInTo(tenant), PLAT_WEBHOOK_SECRET: 'whsec_of_the_tenant' };
    const { stderr } = await listen(['--app', APP_ID, '--', process.execPath, '-e', script], env).ended;
    expect(stderr).toMatch(/^whsec_\S{43} whsec_of_the_tenant$/m);
  });

  it('shows how to send an event again that the application refused', async () => {
    app.respond = (_, res) => res.writeHead(500).end();
    const { ready, ended } = listenToApp('--once');
    await ready;
    const { id } = appEventAt(T, 1, 'app.deleted');
    tenant.add(appEventAt(T, 1, 'app.deleted'));
    await expect.poll(() => app.received.length).toBe(4);
    app.respond = (_, res) => res.writeHead(204).end();
    tenant.add(appEventAt(T + 1, 2, 'app.deleted'));
    expect((await ended).stderr).toContain(
      `plat apps webhooks events get ${APP_ID} ${id} --json | plat webhooks send -`,
    );
  });

  it('needs a login, and an app of the developer', async () => {
    const without = await listen(['--app', APP_ID]).ended;
    expect([without.code, without.stderr]).toEqual([4, expect.stringMatching(/NOT_LOGGED_IN.*next: plat login/s)]);
    tenant.answer = refusal(404, 'APP_NOT_FOUND');
    const unknown = await listenToApp().ended;
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining('APP_NOT_FOUND')]);
    expect(app.received).toEqual([]);
  });
});
