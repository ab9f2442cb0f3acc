import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { EXIT_CODES, run } from '@plat/cli';
import { ALL_EVENT_TYPES, type EventType } from '@plat/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { acceptInvitation } from '../support/invitation.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* `plat trigger` causes real events. Their deliveries arrive at a real receiver and pass `plat webhooks verify`. */

const story = useServer();
const folder = tempFolder('cli-trigger');
let receiver: Receiver;
/** A tenant whose endpoint receives every event type. */
let heard: Surroundings;
/** A tenant without an endpoint. */
let unheard: Surroundings;

type Surroundings = Readonly<Record<string, string>>;

beforeAll(async () => {
  receiver = await startReceiver();
  const [one, other] = [await story.server.createSandbox(), await story.server.createSandbox()];
  const [surroundings, silence] = [one, other].map(({ apiKey }) => ({
    PLAT_BASE_URL: story.server.baseUrl,
    PLAT_API_KEY: apiKey,
  }));
  heard = { ...surroundings, PLAT_WEBHOOK_SECRET: await register(one.apiKey) };
  unheard = { ...silence };
});
afterAll(async () => {
  await receiver.close();
  folder.remove();
});

async function register(apiKey: string, path = '/'): Promise<string> {
  const body = { url: `${receiver.url}${path}`, events: ['*'] };
  return (await apiOf(story.server.baseUrl, apiKey)('/v1/webhooks/endpoints', { body })).body.secret;
}

/** Runs `plat` in this process, without a terminal. */
async function plat(env: Surroundings, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [collect(), collect()];
  const stdin = new PassThrough().end();
  const code = await run(args, { stdin, stdout: out.stream, stderr: err.stream, env, cwd: folder.path });
  return { code, out: out.text(), err: err.text() };
}

function collect() {
  const stream = new PassThrough();
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  return { stream, text: () => Buffer.concat(parts).toString('utf8') };
}

/** Saves a received delivery as files, as a developer would. */
function kept({ body, headers }: Received): [body: string, ...options: string[]] {
  writeFileSync(join(folder.path, 'body.json'), body);
  writeFileSync(join(folder.path, 'headers.json'), JSON.stringify(headers));
  return ['body.json', '--headers-file', 'headers.json'];
}

const WITHOUT_TRIGGER = [
  'user.activated',
  'tenant.suspended',
  'tenant.reactivated',
  'oauth.app_authorized',
  'oauth.app_revoked',
];

describe('plat trigger', () => {
  test.each(ALL_EVENT_TYPES.filter((type) => !WITHOUT_TRIGGER.includes(type)))(
    'causes %s, whose delivery arrives and is authentic',
    async (type: EventType) => {
      const options = type === 'user.deactivated' ? ['--id', await activeUser(), '--yes'] : ['--cleanup'];
      const wait = ['--wait', '--timeout', '120', '--json'];
      const { code, out, err } = await plat(heard, 'trigger', type, ...options, ...wait);
      expect([code, err]).toEqual([EXIT_CODES.ok, '']);
      const { event, deliveries } = JSON.parse(out);
      expect(event.type).toBe(type);
      expect(deliveries).toMatchObject([{ event_id: event.id, status: 'succeeded', attempt: 1, response_status: 204 }]);
      const delivery = receiver.received.find(({ headers }) => headers['x-platform-event-id'] === event.id);
      if (!delivery) throw new Error('a delivery that succeeded was received');
      expect(JSON.parse(delivery.body)).toEqual(event);
      const verified = await plat(heard, 'webhooks', 'verify', ...kept(delivery), '--json');
      expect([verified.code, JSON.parse(verified.out).event.id]).toEqual([EXIT_CODES.ok, event.id]);
    },
    180_000,
  );

  test.each(WITHOUT_TRIGGER)('reports that no key can cause %s', async (type) => {
    const { code, out, err } = await plat(heard, 'trigger', type, '--json');
    expect([code, out, JSON.parse(err).error.code]).toEqual([EXIT_CODES.refused, '', 'EVENT_NOT_CAUSABLE']);
  });

  test('leaves no objects behind with --cleanup', async () => {
    const api = apiOf(story.server.baseUrl, unheard['PLAT_API_KEY']);
    const count = async (path: string) => (await api(`${path}?limit=100`)).body.data.length;
    const all = async () => [await count('/v1/clients'), await count('/v1/groups'), await count('/v1/users')];
    const before = await all();
    for (const type of ['location.deleted', 'group.owner_removed', 'group.member_added', 'user.role_changed']) {
      expect(await plat(unheard, 'trigger', type, '--cleanup')).toMatchObject({ code: EXIT_CODES.ok, err: '' });
    }
    expect(await all()).toEqual(before);
    await plat(unheard, 'trigger', 'client.created');
    const [newest] = (await api('/v1/clients')).body.data;
    expect(newest.name).toMatch(/^Sample of plat trigger/);
  });

  test('reports the response of a receiver that refused the event', async () => {
    const { apiKey } = await story.server.createTenant();
    await register(apiKey, '/broken');
    receiver.answer((_, res, { path }) => {
      if (path === '/broken') res.writeHead(500).end('broken\u001b[31m');
      else res.writeHead(204).end();
    });
    const env = { ...heard, PLAT_API_KEY: apiKey };
    const { code, out, err } = await plat(env, 'trigger', 'client.created', '--wait', '--timeout', '120');
    expect(code).toBe(EXIT_CODES.checkFailed);
    expect(out).toMatch(/^deliveries\.0\.response_status +500$/m);
    expect(out).toMatch(/^deliveries\.0\.response_body +broken\\u001b\[31m$/m);
    expect(err).toMatch(/whe_\w+ answered 500.*NOT_ACCEPTED/);
  }, 180_000);

  test('reports that no endpoint receives the event type', async () => {
    const { code, err } = await plat(unheard, 'trigger', 'client.created', '--wait', '--cleanup', '--json');
    expect([code, JSON.parse(err).error.code]).toEqual([EXIT_CODES.checkFailed, 'NO_ENDPOINT']);
  });
});

describe('without a server', () => {
  test('plat webhooks verify accepts the deliveries of plat webhooks send, and rejects them with another secret', async () => {
    const env = { PLAT_WEBHOOK_SECRET: 'whsec_mine' };
    const before = receiver.received.length;
    const sent = await plat(env, 'webhooks', 'send', '--type', 'tenant.suspended', '--to', receiver.url, '--json');
    expect([sent.code, sent.err]).toEqual([EXIT_CODES.ok, '']);
    const raw = await plat(env, 'trigger', 'oauth.app_revoked', '--raw', '--to', receiver.url, '--json');
    const ids = [sent, raw].map(({ out }) => JSON.parse(out).event_id);
    const deliveries = receiver.received.slice(before);
    for (const [n, delivery] of deliveries.entries()) {
      const verified = await plat(env, 'webhooks', 'verify', ...kept(delivery), '--json');
      expect([verified.code, JSON.parse(verified.out).event.id]).toEqual([EXIT_CODES.ok, ids[n]]);
      const strange = await plat({ PLAT_WEBHOOK_SECRET: 'whsec_other' }, 'webhooks', 'verify', ...kept(delivery));
      expect(strange).toMatchObject({ code: EXIT_CODES.checkFailed, out: '' });
    }
    expect(deliveries).toHaveLength(2);
  });

  test('plat webhooks verify accepts what plat webhooks sign has signed', async () => {
    const env = { PLAT_WEBHOOK_SECRET: 'whsec_mine' };
    writeFileSync(
      join(folder.path, 'event.json'),
      '{"id":"evt_1","object":"event","type":"client.created","created":"2026-01-02T03:04:05.678Z","tenant_id":"tnt_1","data":{}}',
    );
    const { out } = await plat(env, 'webhooks', 'sign', 'event.json', '--timestamp', '2026-01-02T03:04:05Z');
    const args = ['webhooks', 'verify', 'event.json', '--signature', out.trim()];
    expect((await plat(env, ...args, '--at', '2026-01-02T03:08:00Z')).code).toBe(EXIT_CODES.ok);
    expect((await plat(env, ...args)).code).toBe(EXIT_CODES.checkFailed);
  });
});

/** A user who has accepted the invitation. */
async function activeUser(): Promise<string> {
  const body = { email: 'active@example.com', role: 'viewer' };
  const { id, email } = (await apiOf(story.server.baseUrl, heard['PLAT_API_KEY'])('/v1/users', { body })).body;
  await acceptInvitation(story.server, email);
  return id;
}
