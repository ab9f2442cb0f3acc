import { PassThrough } from 'node:stream';
import { EXIT_CODES, run } from '@plat/cli';
import { OPERATIONS, type OperationInfo } from '@plat/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const { apiKey } = await story.server.createSandbox();
  env = { PLAT_BASE_URL: story.server.baseUrl, PLAT_API_KEY: apiKey };
});

/** Runs `plat` in this process, without a terminal. */
async function plat(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [collect(), collect()];
  const stdin = new PassThrough().end();
  const code = await run(args, { stdin, stdout: out.stream, stderr: err.stream, env, cwd: '/' });
  return { code, out: out.text(), err: err.text() };
}

function collect() {
  const stream = new PassThrough();
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  return { stream, text: () => Buffer.concat(parts).toString('utf8') };
}

/** Returns the JSON that a command prints. The command must succeed. */
async function json(...args: string[]) {
  const { code, out, err } = await plat(...args, '--json');
  expect([code, err], args.join(' ')).toEqual([EXIT_CODES.ok, '']);
  return JSON.parse(out);
}

test('a client has locations, one of which is the default', async () => {
  const client = await json('clients', 'create', '--name', 'Places');
  const at = ['clients', 'locations'];
  const first = await json(
    ...at,
    'create',
    client.id,
    '--name',
    'Quay',
    '--country',
    'DE',
    '--timezone',
    'Europe/Berlin',
  );
  const second = await json(...at, 'create', client.id, '--name', 'Pier', '--country', 'FR', '--default');
  expect([first.default, second.default]).toEqual([true, true]);
  expect(await json(...at, 'update', client.id, first.id, '--default', '--address', 'Quay 1')).toMatchObject({
    default: true,
    address: 'Quay 1',
  });
  expect((await json(...at, 'update', client.id, first.id, '--no-address')).address).toBeNull();
  const refused = await plat(...at, 'update', client.id, first.id, '--no-default');
  expect(refused).toMatchObject({ code: EXIT_CODES.refused, err: expect.stringContaining('--default') });
  expect((await plat(...at, 'delete', client.id, second.id)).code).toBe(EXIT_CODES.confirmation);
  expect((await json(...at, 'delete', client.id, second.id, '--yes')).deleted).toBe(true);
  expect((await plat(...at, 'get', client.id, second.id)).code).toBe(EXIT_CODES.notFound);
});

test('a group has members and owners, with lists that continue after a client or user', async () => {
  const group = await json('groups', 'create', '--name', 'Harbour', '--membership-policy', 'closed');
  const clients: string[] = [];
  for (const name of ['A', 'B', 'C']) clients.unshift((await json('clients', 'create', '--name', name)).id);
  for (const id of clients) await json('groups', 'members', 'add', group.id, '--client-id', id);
  const again = await plat('groups', 'members', 'add', group.id, '--client-id', clients[0] ?? '');
  expect(again.code).toBe(EXIT_CODES.conflict);
  const page = await plat('groups', 'members', 'list', group.id, '--limit', '2');
  const next = `plat groups members list ${group.id} --limit 2 --starting-after ${clients[1]}`;
  expect(page.err).toBe(`There are more (or add --all): ${next}\n`);
  const rest = await json('groups', 'members', 'list', group.id, '--starting-after', clients[1] ?? '');
  expect(rest.data).toMatchObject([{ client_id: clients[2] }]);
  expect((await json('groups', 'members', 'remove', group.id, clients[2] ?? '', '--yes')).deleted).toBe(true);

  const owner = await json('groups', 'owners', 'invite', group.id, '--email', 'cli@owners.example');
  expect((await plat('groups', 'owners', 'list', group.id)).out).toMatch(/^USER_ID .*\nusr_\w+ +cli@owners\.example/);
  expect(await json('groups', 'owners', 'get', group.id, owner.user_id)).toEqual(owner);
  expect((await plat('groups', 'owners', 'remove', group.id, owner.user_id, '--yes')).code).toBe(0);
});

test('a user is invited and withdrawn, and an active user is deactivated after a confirmation', async () => {
  const user = await json('users', 'create', '--email', 'cli@users.example', '--role', 'member', '--name', 'Cli');
  expect((await json('users', 'update', user.id, '--no-name', '--role', 'viewer')).name).toBeNull();
  expect((await json('users', 'invite', user.id)).status).toBe('invited');
  expect((await json('users', 'delete', user.id, '--yes')).deleted).toBe(true);
  const [member] = (await json('users', 'list', '--role', 'member')).data;
  expect((await plat('users', 'deactivate', member.id)).code).toBe(EXIT_CODES.confirmation);
  expect((await json('users', 'get', member.id)).status).toBe('active');
  expect((await json('users', 'deactivate', member.id, '--yes')).status).toBe('suspended');
});

test('tenant, settings and roles are changed, and the audit trail shows the actor', async () => {
  expect((await json('tenant', 'update', '--name', 'Mine')).name).toBe('Mine');
  const settings = await json('settings', 'update', '--launch-token-ttl-seconds', '600', '--no-support-email');
  expect(settings).toMatchObject({ launch_token_ttl_seconds: 600, support_email: null });
  const [{ capabilities }] = (await json('modules', 'list')).data;
  const role = await json('roles', 'create', '--name', 'clerk', '--title', 'C', '--capabilities', capabilities.join());
  expect(role.capabilities.toSorted()).toEqual(capabilities.toSorted());
  expect((await json('roles', 'update', role.id, '--capabilities', '')).capabilities).toEqual([]);
  const { out } = await plat('audit', 'events', 'list', '--target-id', role.id);
  expect(out.split('\n')[0]).toMatch(/^ID +ACTION +ACTOR\.TYPE +ACTOR\.ID +TARGET\.ID +CREATED_AT$/);
  expect(out).toMatch(/role\.updated +api_key +key_\w+ +rol_/);
});

test('an event is replayed, and the new deliveries are printed as a table', async () => {
  const url = 'https://example.com/cli-families';
  const endpoint = await json('webhooks', 'endpoints', 'create', '--url', url, '--events', 'client.created');
  await json('clients', 'create', '--name', 'Sent');
  const [event] = (await json('webhooks', 'events', 'list', '--type', 'client.created')).data;
  const { code, out } = await plat('webhooks', 'events', 'replay', event.id, '--endpoint-id', endpoint.id);
  expect([code, out]).toEqual([0, expect.stringMatching(/^ID +EVENT_TYPE .*\ndel_\w+ +client\.created +whe_\w+ +1 /)]);
});

test('deliveries are listed by their time, entered as an age or in ISO 8601', async () => {
  const url = 'https://example.com/cli-times';
  const endpoint = await json('webhooks', 'endpoints', 'create', '--url', url, '--events', 'client.created');
  await json('clients', 'create', '--name', 'Timed');
  const list = async (...times: string[]) =>
    (await json('webhooks', 'deliveries', 'list', '--endpoint-id', endpoint.id, ...times)).data.length;
  expect(await list('--created-after', '1h')).toBeGreaterThan(0);
  expect(await list('--created-before', '1h')).toBe(0);
  expect(await list('--created-after', '2026-01-01T00:00:00Z', '--created-before', '2026-01-02T00:00:00Z')).toBe(0);
});

test('failed and missed events are replayed, and the command waits for the end', async () => {
  const receiver = await startReceiver();
  try {
    const add = ['webhooks', 'endpoints', 'create', '--url', receiver.url, '--events', 'client.created'];
    const endpoint = await json(...add);
    const setStatus = (status: string) => json('webhooks', 'endpoints', 'update', endpoint.id, '--status', status);
    await setStatus('disabled');
    await json('clients', 'create', '--name', 'Missed');
    await setStatus('enabled');
    const to = ['--since', '1h', '--endpoint-id', endpoint.id, '--wait'];
    const missed = await json(
      'webhooks',
      'replays',
      'create',
      '--select',
      'missed',
      '--event-types',
      'client.created',
      ...to,
    );
    expect(missed).toMatchObject({ status: 'completed', select: 'missed', endpoint_id: endpoint.id });
    expect(missed.scheduled_count).toBeGreaterThanOrEqual(1);
    await receiver.waitFor(missed.scheduled_count);
    await story.server.idle();

    const failed = [
      'webhooks',
      'deliveries',
      'replay',
      '--failed',
      '--since',
      '1h',
      '--endpoint',
      endpoint.id,
      '--wait',
    ];
    expect(await json(...failed)).toMatchObject({ status: 'completed', select: 'failed', scheduled_count: 0 });
    const [delivery] = (await json('webhooks', 'deliveries', 'list', '--endpoint-id', endpoint.id)).data;
    const again = await json('webhooks', 'deliveries', 'replay', delivery.id);
    expect(again).toMatchObject({ event_id: delivery.event_id, endpoint_id: endpoint.id, attempt: 1 });
    await receiver.waitFor(missed.scheduled_count + 1);
    const ended = await plat('webhooks', 'replays', 'cancel', missed.id);
    expect(ended).toMatchObject({ code: EXIT_CODES.refused, err: expect.stringContaining('UNPROCESSABLE') });
  } finally {
    await receiver.close();
  }
});

describe('every list', () => {
  const LISTS = Object.entries<OperationInfo>(OPERATIONS).filter(([, { list }]) => list);

  test.each(LISTS)(
    '%s prints a table, and one JSON envelope, for one page and for all',
    async (operation, { path }) => {
      const owners: string[] = [];
      if (path.includes('{client_id}'))
        owners.push((await json('clients', 'list', '--slug', 'harbour-coffee')).data[0].id);
      if (path.includes('{group_id}')) owners.push((await json('groups', 'list')).data.at(-1).id);
      const command = [...operation.split('.'), ...owners];
      const { data, ...page } = await json(...command, '--limit', '100');
      expect(await json(...command, '--all')).toEqual({ ...page, data });
      const table = await plat(...command, '--limit', '100');
      expect(table.code).toBe(0);
      expect(table.out.split('\n').filter((line) => line !== '')).toHaveLength(data.length === 0 ? 0 : data.length + 1);
    },
  );
});
