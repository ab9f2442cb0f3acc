import { beforeAll, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* `plat dev`: commands for a server of the development mode. */

const story = useServer();
const folder = tempFolder('dev-cli').path;

/** Runs `plat` and reads what it prints. */
async function plat(...args: string[]) {
  const env = { PLAT_BASE_URL: story.server.baseUrl };
  const running = spawnNode('packages/cli/src/main.ts', { args: [...args, '--json'], cwd: folder, env });
  running.child.stdin.end();
  const { code } = await running.exited;
  const [out, err] = [running.stdout(), running.stderr()];
  return { code, out: out === '' ? null : JSON.parse(out), err: err === '' ? null : JSON.parse(err) };
}

beforeAll(() => story.server.clock.freeze());

// Each command is a process, on a machine under load.
const LONG_TIMEOUT = { timeout: 120_000 };

test(
  'a developer creates a tenant, makes a request of it fail, moves the clock, and waits for the deliveries',
  LONG_TIMEOUT,
  async () => {
    const tenant = await plat('dev', 'tenant', '--name', 'Terminal');
    expect(tenant).toMatchObject({ code: 0, out: { object: 'dev_tenant', name: 'Terminal' }, err: null });
    const api = apiOf(story.server.baseUrl, tenant.out.api_key);

    await plat('dev', 'faults', 'add', 'error', '--code', 'SERVICE_UNAVAILABLE', '--operation', 'clients.*');
    expect((await plat('dev', 'faults', 'list')).out.data).toMatchObject([{ kind: 'error', left: 1 }]);
    expect((await api('/v1/clients')).status).toBe(503);
    expect((await api('/v1/clients')).status).toBe(200);

    const { out: before } = await plat('dev', 'clock', 'show');
    const { out: after } = await plat('dev', 'clock', 'advance', '1h');
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(3_600_000);
    expect((await plat('dev', 'wait')).out).toMatchObject({ idle: true });
    const refused = await plat('dev', 'clock', 'set', '2020-01-01T00:00:00Z');
    expect(refused).toMatchObject({ code: 3, err: { error: { code: 'UNPROCESSABLE' } } });
    expect((await plat('dev', 'mail')).out).toEqual({ object: 'list', data: [], has_more: false });
  },
);
