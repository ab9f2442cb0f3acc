import type { LookupAddress } from 'node:dns';
import { createServer as createTlsServer } from 'node:https';
import type { WebhookDelivery } from '@plat/contract';
import { execute } from '@plat/server/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { selfSigned, trust } from '../support/certificate.ts';
import { type FaultyReceiver, startBeside } from '../support/faulty-receiver.ts';
import { useServer } from '../support/story.ts';

/** The only range of this machine that deliveries may reach. All other addresses stand for an inner network. */
const ALLOWED = '127.0.0.2';
const INNER = '127.0.0.1';

/** Addresses that each name resolves to, look-up by look-up. The last entry repeats. */
let answers: readonly (readonly string[] | Error)[] = [];
let asked: string[] = [];
async function resolve(hostname: string): Promise<readonly LookupAddress[]> {
  const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
  asked.push(hostname);
  if (answer instanceof Error) throw answer;
  return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

const story = useServer({
  env: {
    NODE_ENV: 'production',
    PLAT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PLAT_WEBHOOK_ALLOW: '127.0.0.2/31',
  },
  delivery: { resolve },
});
const certificate = selfSigned({ hosts: ['moves.example'] });
let api: Api;
let receiver: FaultyReceiver;
/** On the same port of the inner address. */
let canary: FaultyReceiver;
/** Names that the requests to the receiver asked for in their TLS handshake. */
let serverNames: unknown[] = [];
let endTrust: () => void;

beforeAll(() => {
  endTrust = trust(certificate);
});
beforeEach(async () => {
  answers = [[INNER]];
  asked = [];
  serverNames = [];
  api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  const server = createTlsServer(certificate, (request, response) => {
    serverNames.push('servername' in request.socket && request.socket.servername);
    // Each delivery opens a connection, and so makes a separate look-up.
    request.resume().on('end', () => response.writeHead(204, { connection: 'close' }).end());
  });
  ({ receiver, canary } = await startBeside({ answer: server, host: ALLOWED }, INNER));
});
afterEach(() => Promise.all([receiver.close(), canary.close()]));
afterAll(() => endTrust());

describe('an address of the inner network', () => {
  const HOSTS = [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0X7F.0x0.0.1', '017700000001'],
    ...[
      '0177.0.0.01',
      '0',
      '127.0.0.1.',
      '１２７.0.0.1',
      '127。0。0。1',
      '①②⑦.0.0.1',
      '127.0.\u00ad0.1',
      '%31%32%37.0.0.1',
    ],
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
    ...['[2a01:4f8:c0c:1::5efe:7f00:1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]'],
    ...['169.254.169.254', '0xa9fea9fe', '2852039166', '10.0.0.1', '012.0.0.1', '192.168.1.1', '172.16.0.1'],
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', 'localhost', 'LOCALHOST.', 'db.localhost', 'ｌｏｃａｌｈｏｓｔ'],
  ];

  test.each([...HOSTS, '[fe80::1%25lo]', '[fe80::1%lo]'])('cannot be registered as %s', async (host) => {
    const url = `https://${host}:${canary.port}/hook`;
    expectRefusal(await api('/v1/webhooks/endpoints', { body: { url, events: ['*'] } }), 'INVALID_BODY', ['url']);
  });

  test.each(['https', 'http'])(
    'gets no packet over %s, in any notation that is stored in the database',
    async (scheme) => {
      const hosts = [...HOSTS, '[fe80::1%25lo]'];
      const ids: string[] = [];
      for (const [index, host] of hosts.entries()) {
        const id = await register(`https://moves.example/${index}`);
        ids.push(id);
        const url = `${scheme}://${host}:${canary.port}/hook`;
        await execute(story.server.db, 'UPDATE webhook_endpoints SET url = :url WHERE id = :id', { url, id });
      }
      const attempts = await attemptsAfterChange();
      for (const [index, host] of hosts.entries()) {
        expect(attempts.get(ids[index] ?? ''), host).toMatchObject({
          status: 'retrying',
          // The last address is not a URL.
          error_class: host.includes('%25') ? 'other' : 'blocked_address',
          remote_address: null,
          response_status: null,
          timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null },
        });
      }
      expect(canary.connections).toBe(0);
      // Only names are resolved. A notation of an address is never resolved, or a look-up would decide where it leads.
      expect(new Set(asked)).toEqual(new Set(['localhost', 'localhost.', 'db.localhost']));
    },
  );
});

describe('a name', () => {
  const deliver = async (): Promise<WebhookDelivery> => {
    const id = await register(`https://moves.example:${receiver.port}/hook`);
    return (await attemptsAfterChange()).get(id) ?? expect.unreachable('there is no attempt');
  };

  test('that resolves to an outer address and then to an inner one gets its delivery outside: it is resolved once', async () => {
    answers = [[ALLOWED], [INNER]];
    expect(await deliver()).toMatchObject({
      status: 'succeeded',
      remote_address: ALLOWED,
      timings: { dns_ms: expect.any(Number), connect_ms: expect.any(Number), tls_ms: expect.any(Number) },
    });
    expect(asked).toEqual(['moves.example']);
    expect([receiver.connections, canary.connections]).toEqual([1, 0]);

    const moved = [...(await attemptsAfterChange()).values()][0];
    expect(moved).toMatchObject({ error_class: 'blocked_address', remote_address: null });
    expect([asked.length, receiver.connections, canary.connections]).toEqual([2, 1, 0]);
  });

  test('is sent in the TLS handshake, so that the receiver finds its certificate', async () => {
    answers = [[ALLOWED]];
    expect(await deliver()).toMatchObject({ status: 'succeeded' });
    expect(serverNames).toEqual(['moves.example']);
  });

  test('with addresses inside and outside gets its delivery at an outer address only', async () => {
    answers = [[INNER, '10.0.0.1', '::1', ALLOWED, '169.254.169.254']];
    expect(await deliver()).toMatchObject({ status: 'succeeded', remote_address: ALLOWED });
    expect([receiver.connections, canary.connections]).toEqual([1, 0]);
  });

  test('gets its delivery at the next of its addresses when one refuses the connection', async () => {
    answers = [['127.0.0.3', ALLOWED]];
    expect(await deliver()).toMatchObject({ status: 'succeeded', remote_address: ALLOWED });
  });

  test('that resolves to inner addresses only is blocked, and the result does not reveal them', async () => {
    answers = [[INNER, 'fd00::17', '10.20.30.40']];
    const attempt = await deliver();
    expect(attempt).toMatchObject({
      error_class: 'blocked_address',
      error: 'blocked_address: the URL does not lead to a public address',
      remote_address: null,
      timings: { dns_ms: null, connect_ms: null },
    });
    expect(JSON.stringify(attempt)).not.toMatch(/127\.0|fd00|10\.20/);
    expect(canary.connections).toBe(0);
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL'])(
    'that cannot be resolved (%s) fails with the error class dns',
    async (code) => {
      answers = [Object.assign(new Error('no such name'), { code })];
      expect(await deliver()).toMatchObject({ error_class: 'dns', remote_address: null, timings: { dns_ms: null } });
    },
  );

  test('without any address fails with the error class blocked', async () => {
    answers = [[]];
    expect(await deliver()).toMatchObject({ error_class: 'blocked_address', remote_address: null });
  });
});

async function register(url: string): Promise<string> {
  const { body } = await api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
  return body.id;
}

/** The first attempts of a new event, by endpoint. */
async function attemptsAfterChange(): Promise<Map<string, WebhookDelivery>> {
  await api('/v1/clients', { body: { name: 'Acme' } });
  await story.server.idle();
  const { data: events } = (await api('/v1/webhooks/events?limit=1')).body;
  const path = `/v1/webhooks/deliveries?limit=100&event_id=${events[0].id}`;
  const { data } = (await api(path)).body as { data: WebhookDelivery[] };
  return new Map(data.filter(({ attempt }) => attempt === 1).map((delivery) => [delivery.endpoint_id, delivery]));
}
