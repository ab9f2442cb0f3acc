import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformEvent } from '@plat/contract';
import { verify } from '@plat/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type NodeProcess, repository, spawnNode } from '../support/process.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { useTwoServers } from '../support/two-servers.ts';

const LONG_TIMEOUT = { timeout: 120_000, interval: 50 };

const { at, envOf } = useTwoServers({ PLAT_REQUEST_LOG: 'all' });
const started = new Set<NodeProcess>();
let folder: ReturnType<typeof tempFolder>;
beforeAll(() => {
  folder = tempFolder('listen');
});
afterAll(async () => {
  await Promise.all([...started].map((one) => one.kill9()));
  folder.remove();
});

/** Starts `plat listen` against the i-th server and waits until it reports that it is ready. */
async function listen(i: number, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const readyFile = join(folder.path, `ready-${started.size}`);
  const listener = spawnNode('packages/cli/src/main.ts', {
    args: ['listen', '--ready-file', readyFile, ...args],
    env: { ...envOf(i), HOME: folder.path, ...env },
  });
  started.add(listener);
  await listener.waitFor(/^Ready: forwarding events of tnt_\w+ to http/m);
  expect(existsSync(readyFile)).toBe(true);
  return listener;
}

const idOf = ({ body }: Received): string => JSON.parse(body).id;

test('every event of two servers arrives, although the listener and its receiver are killed at any time', {
  timeout: 300_000,
}, async () => {
  const endpoint = await startReceiver();
  await at(0)('/v1/webhooks/endpoints', { body: { url: endpoint.url, events: ['*'] } });
  let receiver: Receiver = await startReceiver();
  const { url } = receiver;
  const arrived: Received[] = [];
  const restartReceiver = async () => {
    await receiver.close();
    arrived.push(...receiver.received);
    receiver = await startReceiver(Number(new URL(url).port));
  };
  const files = ['cursor', 'secret'].flatMap((name) => [`--${name}-file`, join(folder.path, name)]);
  const args = ['--to', url, ...files];

  let listener = await listen(0, args);
  let isOver = false;
  let written = 0;
  const writers = Array.from({ length: 4 }, async (_, i) => {
    while (!isOver) {
      const { status } = await at(i)('/v1/clients', { body: { name: `Client of writer ${i}, Grüße` } });
      expect(status).toBe(201);
      written++;
      await sleep(20);
    }
  });
  let cuts = 0;
  for (let round = 0; round < 6; round++) {
    await sleep(Math.random() * 1000);
    await listener.kill9();
    cuts++;
    if (round % 2 === 0) {
      await restartReceiver();
      cuts++;
    }
    // The writes alternate between the servers: the cursor belongs to the tenant.
    listener = await listen(round, args);
  }
  await restartReceiver();
  cuts++;
  isOver = true;
  await Promise.all(writers);

  const all = () => [...arrived, ...receiver.received];
  await expect.poll(() => new Set(all().map(idOf)).size, LONG_TIMEOUT).toBe(written);
  expect(await listener.stop()).toEqual({ code: 0, signal: null });
  // Only events that were in flight when a process was killed came twice.
  expect(all().length - written).toBeLessThanOrEqual(cuts);

  // The request is equal, byte for byte, to that of a registered endpoint, and is signed like it.
  await endpoint.waitFor(written, 120_000);
  const bodies = new Map(endpoint.received.map((one) => [idOf(one), one.body]));
  const secrets = readFileSync(join(folder.path, 'secret'), 'utf8').trim();
  for (const { body, headers } of all()) {
    const event = verify(body, headers, { secrets, tolerance: 3600 });
    expect(body).toBe(bodies.get(event.id));
  }
  await Promise.all([endpoint.close(), receiver.close()]);
});

test('a receiver that plat listen starts verifies events with the secret in its environment', async () => {
  const port = await freePort();
  const receiver = [
    '--',
    process.execPath,
    '--conditions=@plat/source',
    join(repository, 'examples/webhook-receiver/index.js'),
  ];
  const to = `http://127.0.0.1:${port}/webhooks`;
  const listener = await listen(1, ['--to', to, '--events', 'client.deleted,client.created', ...receiver], {
    PORT: String(port),
  });
  const { body: client } = await at(0)('/v1/clients', { body: { name: 'Acme' } });
  await at(1)(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: 'Acme 2' } });
  await at(0)(`/v1/clients/${client.id}`, { method: 'DELETE' });
  await listener.waitFor(new RegExp(`^verified +client\\.created +evt_\\w+ +client ${client.id} Acme$`, 'm'));
  await listener.waitFor(/^verified +client\.deleted /m);
  expect(listener.stderr()).not.toContain('client.updated');
  expect(await listener.stop()).toEqual({ code: 0, signal: null });
  const shown = listener.stdout();
  expect(shown).toMatch(/^\d\d:\d\d:\d\d {2}client\.created +evt_\w+ {2}20\d +\d+ ms/m);
  const { data }: { data: PlatformEvent[] } = (await at(0)('/v1/webhooks/events?type=client.deleted')).body;
  expect(shown).toContain(data[0]?.id);
  // The polls do not fill the request log of the sandbox. The log contains the requests of this test.
  const { body: log } = await at(0)('/v1/requests?operation=webhooks.events.list&limit=100');
  const agents: readonly (string | null)[] = log.data.map(
    ({ user_agent }: { user_agent: string | null }) => user_agent,
  );
  expect(agents).not.toEqual([]);
  expect(agents.filter((agent) => agent?.includes('plat-'))).toEqual([]);
});
