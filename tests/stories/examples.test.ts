import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testReceiver } from '@plat/webhooks/conformance';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { runCommands, startCommand } from '../support/documented-commands.ts';
import { freePort } from '../support/free-port.ts';
import { type NodeProcess, repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* The small examples, unchanged, by the commands of their READMEs. One sandbox serves all. */

const folder = tempFolder('examples');
let server: NodeProcess | undefined;
let sandbox: { readonly base_url: string; readonly api_key: string };

beforeAll(async () => {
  server = startCommand('npm start', folder.path);
  await server.waitFor(/Ctrl-C stops/);
  sandbox = JSON.parse(readFileSync(join(folder.path, '.plat/sandbox.json'), 'utf8'));
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

/** Returns the documented commands of an example after `npm start`. */
function commandsOf(example: string): readonly string[] {
  const [first, ...others] = runCommands(readFileSync(join(repository, 'examples', example, 'README.md'), 'utf8'));
  expect(first).toBe('npm start');
  return others;
}

function start(command: string, env: Readonly<Record<string, string>> = {}): NodeProcess {
  const started = startCommand(command, folder.path, env);
  onTestFinished(async () => void (await started.stop()));
  return started;
}

async function run(command: string): Promise<string> {
  const started = start(command);
  expect(await started.exited, started.stderr()).toEqual({ code: 0, signal: null });
  return started.stdout();
}

async function devtools(command: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = `${sandbox.base_url}/_dev/${command}`;
  const { ok } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(ok).toBe(true);
}

function openRows(file: string): DatabaseSync {
  const rows = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => rows.close());
  return rows;
}

/** Returns the names of the failed cases of a receiver. Its database counts the effects. */
async function failedCases(url: string, secret: string, database: string, count: string): Promise<readonly string[]> {
  const rows = openRows(database);
  const effects = () => Number(Object.values(rows.prepare(count).get() ?? {})[0]);
  const { cases } = await testReceiver({ url, secret, effects });
  return cases.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
}

describe('python-receiver', () => {
  const [receive = '', addClients = ''] = commandsOf('python-receiver');

  test('receives what its client creates, once, although requests fail', async () => {
    const receiver = start(receive);
    await receiver.waitFor(/Listening on/);
    await devtools('faults', { operation: 'clients.create', kind: 'rate_limited', retry_after: 1 });
    await devtools('faults', { operation: 'clients.create', kind: 'cut', when: 'after' });
    const first = await run(addClients);
    const created = [...first.matchAll(/^created +(cli_\w+)$/gm)].map(([, id]) => id);
    expect(created).toHaveLength(2);
    expect(await run(addClients)).toBe(first);
    const database = openRows(join(folder.path, 'python-receiver.db'));
    for (const id of created) expect(first).toContain(`client    ${id}`);
    await expect.poll(() => database.prepare('SELECT id FROM clients').all().length).toBe(2);
    expect(receiver.stdout().match(/^handled +client\.created/gm)).toHaveLength(2);
  });

  test('its client reads more than one page, and throws a refusal with its code', async () => {
    const program = `
import sys
sys.path.insert(0, ${JSON.stringify(join(repository, 'examples/python-receiver'))})
from platform_api import ApiError
from sandbox import sandbox_platform
platform = sandbox_platform()
ids = [client["id"] for client in platform.list("/v1/clients", limit=1)]
assert len(ids) == len(set(ids)) > 1, ids
try:
    platform.post("/v1/clients", {"name": ""})
except ApiError as error:
    print(error.status, error.code, error.request_id)
`;
    writeFileSync(join(folder.path, 'pages.py'), program);
    expect(await run(`python3 ${join(folder.path, 'pages.py')}`)).toMatch(/^400 INVALID_BODY req_/);
  });

  test('passes plat webhooks test', async () => {
    const database = join(folder.path, 'conformance.db');
    const receiver = start(receive, { PLAT_WEBHOOK_SECRET: 'whsec_next,whsec_current', DATABASE: database });
    const [, url = ''] = await receiver.waitFor(/Listening on (\S+)/);
    expect(await failedCases(url, 'whsec_current', database, 'SELECT count(*) FROM handled')).toEqual([]);
  });
});

describe('sync-worker', () => {
  const [work = ''] = commandsOf('sync-worker');
  const CLIENTS = 8;

  test('applies each event once, however often it is killed', async () => {
    const api = apiOf(sandbox.base_url, sandbox.api_key);
    const database = join(folder.path, 'killed.db');
    const env = { PORT: String(await freePort()), DATABASE: database };
    const begin = (): NodeProcess => start(work, env);
    let worker = begin();
    await worker.waitFor(/^Synchronized/m);
    const ids: string[] = [];
    for (let i = 0; i < CLIENTS; i++) {
      const { body } = await api('/v1/clients', { body: { name: `Client ${i}` } });
      ids.push(body.id);
      await api(`/v1/clients/${body.id}`, { method: 'PATCH', body: { name: `Renamed ${i}` } });
      // At different moments: after the first event, and when it has read the whole list.
      if (i % 2 === 1) await worker.waitFor(i % 4 === 1 ? /^(?:applied|repeated) /m : /^Synchronized/m);
      if (i % 2 === 1) {
        await worker.kill9();
        worker = begin();
      }
    }
    await worker.waitFor(/^Synchronized/m);
    const rows = openRows(database);
    const select = rows.prepare('SELECT name, changes FROM clients WHERE id = ?');
    const copied = () => ids.map((id) => ({ ...select.get(id) }));
    const expected = ids.map((_, i) => ({ name: `Renamed ${i}`, changes: 2 }));
    await expect.poll(copied).toEqual(expected);
    const { body: events } = await api('/v1/webhooks/events?type=client.updated&limit=1');
    await api(`/v1/webhooks/events/${events.data[0].id}/replay`, { body: {} });
    await worker.waitFor(new RegExp(`^repeated +webhook +client.updated +${events.data[0].id}`, 'm'));
    await devtools('idle', {});
    expect(copied()).toEqual(expected);
  });

  test('enables its endpoint again and replays what it missed', async () => {
    const api = apiOf(sandbox.base_url, sandbox.api_key);
    const port = await freePort();
    const env = { PORT: String(port), DATABASE: join(folder.path, 'disabled.db') };
    const first = start(work, env);
    await first.waitFor(/^Synchronized/m);
    await first.stop();
    const { body: list } = await api('/v1/webhooks/endpoints');
    const endpoint = list.data.find(({ url }: { url: string }) => url.includes(`:${port}/`));
    await api(`/v1/webhooks/endpoints/${endpoint.id}`, { method: 'PATCH', body: { status: 'disabled' } });
    const { body: client } = await api('/v1/clients', { body: { name: 'Missed' } });
    const second = start(work, env);
    await second.waitFor(/^replay +rpl_\w+/m);
    await second.waitFor(/^repeated +webhook +client.created/m);
    const { body: enabled } = await api(`/v1/webhooks/endpoints/${endpoint.id}`);
    expect(enabled.status).toBe('enabled');
    const rows = openRows(env.DATABASE);
    expect({ ...rows.prepare('SELECT name, changes FROM clients WHERE id = ?').get(client.id) }).toEqual({
      name: 'Missed',
      changes: 1,
    });
  });

  test('passes plat webhooks test', async () => {
    const database = join(folder.path, 'worker-conformance.db');
    const worker = start(work, { DATABASE: database });
    const [, url = ''] = await worker.waitFor(/Listening on (\S+)/);
    const settings = openRows(database);
    const secret = String(settings.prepare("SELECT value FROM settings WHERE name = 'secret'").get()?.['value']);
    expect(await failedCases(url, secret, database, 'SELECT count(*) FROM plat_handled_events')).toEqual([]);
  });
});
