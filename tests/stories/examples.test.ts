import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testReceiver } from '@plat/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommands, startCommand } from '../support/documented-commands.ts';
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

async function makeFault(fault: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${sandbox.base_url}/_dev/faults`, {
    method: 'POST',
    headers,
    body: JSON.stringify(fault),
  });
  expect(response.status).toBe(201);
}

/** Returns the names of the failed cases of a receiver. Its database counts the effects. */
async function failedCases(url: string, secret: string, database: string, count: string): Promise<readonly string[]> {
  const rows = new DatabaseSync(database, { readOnly: true });
  onTestFinished(() => rows.close());
  const effects = () => Number(Object.values(rows.prepare(count).get() ?? {})[0]);
  const { cases } = await testReceiver({ url, secret, effects });
  return cases.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
}

describe('python-receiver', () => {
  const [receive = '', addClients = ''] = commandsOf('python-receiver');

  test('receives what its client creates, once, although requests fail', async () => {
    const receiver = start(receive);
    await receiver.waitFor(/Listening on/);
    await makeFault({ operation: 'clients.create', kind: 'rate_limited', retry_after: 1 });
    await makeFault({ operation: 'clients.create', kind: 'cut', when: 'after' });
    const first = await run(addClients);
    const created = [...first.matchAll(/^created +(cli_\w+)$/gm)].map(([, id]) => id);
    expect(created).toHaveLength(2);
    expect(await run(addClients)).toBe(first);
    const database = new DatabaseSync(join(folder.path, 'python-receiver.db'), { readOnly: true });
    onTestFinished(() => database.close());
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
