import { HEADERS, LIMITS, RETRY_DELAYS_SECONDS } from '@plat/contract';
import { createLaunchVerifier } from '@plat/launch-token';
import { createTestServer, select, type TestServer } from '@plat/server/testing';
import { createVerifier } from '@plat/webhooks';
import { describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { launchWorld } from '../support/launch.ts';
import { codeForm, expectOAuthRefusal, postForm, refreshForm } from '../support/oauth.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { askForLink, signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/* The clock of the development mode. Processes that take months run in a moment, in the same order. */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const story = useServer({ env: { PLAT_HOUSEKEEPING: 'true', PLAT_RATE_LIMIT: '200' } });

const dev: Api = (path, call) => apiOf(story.server.baseUrl)(`/_dev${path}`, call);
const advance = (seconds: number, more = {}) => dev('/clock/advance', { body: { seconds, ...more } });
const newApi = async () => apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
const timesOf = ({ body }: Answer, field: string): number[] =>
  body.data.map((item: Record<string, string>) => Date.parse(item[field] ?? '')).reverse();

async function withReceiver(act: (receiver: Receiver) => Promise<void>): Promise<void> {
  const receiver = await startReceiver();
  try {
    await act(receiver);
  } finally {
    await receiver.close();
  }
}

describe('the clock', () => {
  test('stops when it is frozen, moves by command, and runs again from the time where it stopped', async () => {
    const frozen = await dev('/clock/freeze', { body: {} });
    expect(frozen).toMatchObject({ status: 200, body: { object: 'dev_clock', frozen: true } });
    const api = await newApi();
    const [first, second] = [
      await api('/v1/clients', { body: { name: 'A' } }),
      await api('/v1/clients', { body: { name: 'B' } }),
    ];
    expect([first.body.created_at, second.body.created_at]).toEqual([frozen.body.now, frozen.body.now]);

    const later = new Date(Date.parse(frozen.body.now) + 90_000).toISOString();
    expect((await advance(90)).body).toMatchObject({ now: later, frozen: true });
    expect((await dev('/clock')).body.now).toBe(later);
    const muchLater = new Date(Date.parse(later) + 5 * DAY * 1000).toISOString();
    expect((await dev('/clock/set', { body: { at: muchLater } })).body.now).toBe(muchLater);

    expect((await dev('/clock/resume', { body: {} })).body.frozen).toBe(false);
    await expect.poll(async () => (await dev('/clock')).body.now > muchLater).toBe(true);
    const back = Date.parse((await dev('/clock')).body.now) - Date.parse(muchLater);
    expect(back).toBeLessThan(HOUR * 1000);
  });

  test('moves back only with an explicit option', async () => {
    const { body: before } = await dev('/clock/freeze', { body: {} });
    const past = '2020-01-01T00:00:00.000Z';
    for (const path of ['set', 'freeze']) {
      const refused = await dev(`/clock/${path}`, { body: { at: past } });
      expectRefusal(refused, 'UNPROCESSABLE');
      expect(refused.body.message).toContain('"force": true');
    }
    expect((await dev('/clock')).body.now).toBe(before.now);

    const server = await createTestServer();
    try {
      expect(await server.clock.freeze(past, { force: true })).toMatchObject({ now: past, frozen: true });
      const { apiKey } = await server.createTenant();
      const made = await apiOf(server.baseUrl, apiKey)('/v1/clients', { body: { name: 'Old' } });
      expect(made.body.created_at).toBe(past);
    } finally {
      await server.close();
    }
  });

  test('returns to the time of the machine on reset, running', async () => {
    await dev('/clock/freeze', { body: {} });
    await advance(40 * DAY);
    const { body } = await dev('/clock/reset', { body: {} });
    expect(body.frozen).toBe(false);
    expect(Math.abs(Date.parse(body.now) - Date.now())).toBeLessThan(HOUR * 1000);
    expect((await story.server.clock.reset()).frozen).toBe(false);
  });

  test('of a sandbox that keeps its data moves only when the caller accepts it', async () => {
    const server = await createTestServer({ env: { PLAT_EPHEMERAL: 'false' } });
    try {
      const call: Api = (path, options) => apiOf(server.baseUrl)(`/_dev/clock${path}`, options);
      const before = Date.parse((await call('')).body.now);
      for (const [path, body] of [
        ['/advance', { seconds: 31 * HOUR }],
        ['/advance', { to: '2100-01-01T00:00:00Z' }],
        ['/set', { at: '2100-01-01T00:00:00Z' }],
        ['/freeze', {}],
      ] as const) {
        const refused = await call(path, { body });
        expectRefusal(refused, 'UNPROCESSABLE');
        expect(refused.body.message).toMatch(/--fresh.*--persistent.*clock reset.*sandbox reset/);
      }
      const { body: still } = await call('');
      expect(still.frozen).toBe(false);
      expect(Date.parse(still.now) - before).toBeLessThan(HOUR * 1000);
      const moved = await call('/advance', { body: { seconds: 31 * HOUR, persistent: true } });
      expect(Date.parse(moved.body.now) - before).toBeGreaterThanOrEqual(31 * HOUR * 1000);
      expect((await call('/reset', { body: {} })).status).toBe(200);
    } finally {
      await server.close();
    }
  });

  test('leaves no entry of the request log in the future after a reset of clock and sandbox', async () => {
    const server = await createTestServer();
    try {
      const { tenantId, apiKey } = await server.createSandbox();
      const api = apiOf(server.baseUrl, apiKey);
      const newest = async () => (await api('/v1/requests?limit=1')).body.data[0];
      await server.clock.advance({ seconds: 31 * HOUR });
      await api('/v1/clients?status=future');
      expect(Date.parse((await newest()).created_at)).toBeGreaterThan(Date.now() + 30 * HOUR * 1000);
      await server.clock.reset();
      await api('/v1/groups');
      expect((await newest()).path).not.toBe('/v1/groups');
      await server.resetSandbox(tenantId);
      await api('/v1/users');
      expect((await newest()).path).toBe('/v1/users');
    } finally {
      await server.close();
    }
  });

  test.each([
    ['advance', {}],
    ['advance', { seconds: -1 }],
    ['advance', { seconds: 1, to: '2100-01-01T00:00:00Z' }],
    ['advance', { seconds: 1, timeout_ms: 0 }],
    ['set', {}],
    ['set', { at: 'tomorrow' }],
    ['freeze', { at: 5 }],
    ['resume', { now: true }],
  ])('%s refuses %j', async (path, body) => {
    expectRefusal(await dev(`/clock/${path}`, { body }), 'INVALID_BODY');
  });

  test('is moved in process as over HTTP', async () => {
    const { clock } = story.server;
    const { now } = await clock.freeze();
    expect(clock.now()).toBe(Date.parse(now));
    await clock.advance({ seconds: 10 });
    await clock.set(new Date(clock.now() + 10_000));
    expect((await dev('/clock')).body.now).toBe(new Date(Date.parse(now) + 20_000).toISOString());
  });
});

describe('work that falls due while the clock moves', () => {
  test('all seven attempts are made at their exact times, and the last one fails for good', async () => {
    await withReceiver(async (receiver) => {
      receiver.answer((_req, res) => void res.writeHead(500).end());
      await story.server.clock.freeze();
      const api = await newApi();
      const { body: endpoint } = await api('/v1/webhooks/endpoints', {
        body: { url: receiver.url, events: ['client.created'] },
      });
      await api('/v1/clients', { body: { name: 'Acme' } });
      await story.server.idle();
      const retrying = async () =>
        (await api(`/v1/webhooks/deliveries?endpoint_id=${endpoint.id}&status=retrying`)).body.data;
      expect(await retrying()).toMatchObject([{ attempt: 1 }]);
      await advance(RETRY_DELAYS_SECONDS[0]);
      expect(await retrying()).toMatchObject([{ attempt: 2 }]);
      const total = RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0);
      const { body: moved } = await advance(total - RETRY_DELAYS_SECONDS[0]);
      expect(await retrying()).toEqual([]);
      expect(moved).toMatchObject({ work: { deliveries: 5 }, pending: { deliveries: 0, next_at: null } });

      const deliveries = await api(`/v1/webhooks/deliveries?endpoint_id=${endpoint.id}`);
      const statuses = deliveries.body.data.map(({ status }: { status: string }) => status).reverse();
      expect(statuses).toEqual([...Array<string>(6).fill('retrying'), 'failed']);
      const attempted = timesOf(deliveries, 'attempted_at');
      const delays = attempted.slice(1).map((at, index) => (at - (attempted[index] ?? 0)) / 1000);
      expect(delays).toEqual(RETRY_DELAYS_SECONDS);
      expect(receiver.received).toHaveLength(7);
      // Each is signed with its time, as the verifier's clock shows it.
      const verifier = createVerifier({ secrets: endpoint.secret, now: () => story.server.clock.now() });
      const last = receiver.received.at(-1);
      expect(verifier.verify(last?.body ?? '', last?.headers ?? {}).type).toBe('client.created');
    });
  });

  test('is done in the order in which it falls due', async () => {
    await withReceiver(async (receiver) => {
      receiver.answer((_req, res) => void res.writeHead(500).end());
      await story.server.clock.freeze();
      const api = await newApi();
      await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
      await api('/v1/clients', { body: { name: 'First' } });
      await advance(2);
      await api('/v1/clients', { body: { name: 'Second' } });
      await advance(HOUR);
      const instants = receiver.received.map(
        ({ headers }) => /t=(\d+)/.exec(String(headers['x-platform-signature']))?.[1],
      );
      expect(instants).toEqual([...instants].sort());
      expect(new Set(instants).size).toBe(instants.length);
    });
  });

  test('that hangs is reported as remaining, with the time of the clock', async () => {
    await withReceiver(async (receiver) => {
      receiver.answer(() => undefined);
      const { body: frozen } = await dev('/clock/freeze', { body: {} });
      const api = await newApi();
      await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
      await api('/v1/clients', { body: { name: 'Acme' } });
      await receiver.waitFor(1);
      const left = await advance(DAY, { timeout_ms: 50 });
      expectRefusal(left, 'WORK_LEFT');
      expect(left.body.message).toMatch(/there is still 1 delivery due or in flight/);
      expect(left.body.message).toContain(frozen.now);
      expectRefusal(await dev('/idle?timeout_ms=50'), 'WORK_LEFT');
      expect((await dev('/clock')).body.now).toBe(frozen.now);
    });
    // Its receiver is closed, so the attempt fails at once, like the others.
    expect((await advance(10 * DAY)).body.pending.deliveries).toBe(0);
  });

  test('can be waited for without moving the clock', async () => {
    await withReceiver(async (receiver) => {
      await story.server.clock.freeze();
      const api = await newApi();
      await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
      for (let i = 0; i < 5; i++) await api('/v1/clients', { body: { name: `Client ${i}` } });
      expect((await dev('/idle', { method: 'POST', body: {} })).body).toMatchObject({ object: 'dev_idle', idle: true });
      expect(receiver.received).toHaveLength(5);
      expect((await dev('/clock')).body.pending).toEqual({ deliveries: 0, mails: 0, replays: 0, next_at: null });
    });
  });

  test('includes a replay, which begins, makes its deliveries and ends', async () => {
    await withReceiver(async (receiver) => {
      await story.server.clock.freeze();
      receiver.answer((_req, res) => void res.writeHead(500).end());
      const since = new Date(story.server.clock.now()).toISOString();
      const api = await newApi();
      const { body: endpoint } = await api('/v1/webhooks/endpoints', {
        body: { url: receiver.url, events: ['client.created'] },
      });
      await api('/v1/clients', { body: { name: 'Acme' } });
      await advance(2 * DAY);
      receiver.answer((_req, res) => void res.writeHead(204).end());
      const replay = await api('/v1/webhooks/replays', { body: { endpoint_id: endpoint.id, since, select: 'failed' } });
      expect(replay.body).toMatchObject({ status: 'pending' });
      await advance(MINUTE);
      expect((await api(`/v1/webhooks/replays/${replay.body.id}`)).body.status).toBe('completed');
      expect(receiver.received).toHaveLength(8);
    });
  });
});

describe('expiry by the moved clock', () => {
  const grant = async (server: TestServer) => {
    await server.clock.freeze();
    const app = await server.createApp();
    const { tenantId } = await server.createTenant();
    return { app, tenantId, token: `${server.baseUrl}/oauth/token` };
  };

  test('a code expires after ten minutes', async () => {
    const { app, tenantId, token } = await grant(story.server);
    const [early, late] = [await story.server.grant({ app, tenantId }), await story.server.grant({ app, tenantId })];
    await advance(10 * MINUTE - 1);
    expect((await postForm(token, codeForm(app, early))).status).toBe(200);
    await advance(1);
    expectOAuthRefusal(await postForm(token, codeForm(app, late)), 'INVALID_GRANT', 'invalid_grant');
  });

  test('an access token expires after an hour, and a refresh token after 90 days', async () => {
    const { app, tenantId, token } = await grant(story.server);
    const { tokens } = await story.server.grantTokens({ app, tenantId });
    const api = apiOf(story.server.baseUrl, tokens.access_token);
    await advance(HOUR - 1);
    expect((await api('/v1/me')).status).toBe(200);
    await advance(1);
    expectRefusal(await api('/v1/me'), 'INVALID_TOKEN');

    const refreshed = await postForm(token, refreshForm(app, tokens.refresh_token));
    expect(refreshed.status).toBe(200);
    await advance(90 * DAY);
    const late = await postForm(token, refreshForm(app, refreshed.body.refresh_token));
    expectOAuthRefusal(late, 'INVALID_GRANT', 'invalid_grant');
  });

  test('an Idempotency-Key expires after 24 hours', async () => {
    await story.server.clock.freeze();
    const api = await newApi();
    const create = () => api('/v1/clients', { body: { name: 'Once' }, headers: { 'idempotency-key': 'once' } });
    const first = await create();
    await advance(24 * HOUR - 1);
    expect((await create()).body).toEqual(first.body);
    await advance(1);
    expect((await create()).body.id).not.toBe(first.body.id);
  });

  test('the rate window of a credential ends', async () => {
    await story.server.clock.freeze();
    const api = await newApi();
    let answer = await api('/v1/me');
    while (answer.status === 200) answer = await api('/v1/me');
    expectRefusal(answer, 'RATE_LIMITED');
    expect(answer.headers.get(HEADERS.rateReset)).toBe(
      String(Math.ceil((story.server.clock.now() + LIMITS.rate.windowSeconds * 1000) / 1000)),
    );
    await advance(Number(answer.headers.get('retry-after')) - 1);
    expectRefusal(await api('/v1/me'), 'RATE_LIMITED');
    await advance(1);
    expect((await api('/v1/me')).status).toBe(200);
  });

  test('a sign-in link expires after 15 minutes', async () => {
    await story.server.clock.freeze();
    const email = 'late@example.com';
    await story.server.createTenant({ ownerEmail: email });
    const browser = visitor(story.server.baseUrl);
    await askForLink(browser, email);
    const { link } = await signInMail(story.server, email);
    await advance(15 * MINUTE - 1);
    expect((await browser.get(link)).status).toBe(200);
    await advance(1);
    expect((await browser.get(link)).status).toBe(404);
  });

  test('a launch token expires after 15 minutes and the leeway of receivers', async () => {
    await story.server.clock.freeze();
    const { tenantId, ownerId, clients } = await launchWorld(story.server);
    const token = await story.server.launch({
      ...{ moduleSlug: 'analytics', tenantId },
      ...{ userId: ownerId, clientId: clients[0] },
    });
    const verifier = createLaunchVerifier({
      ...{ issuer: story.server.baseUrl, audience: 'analytics' },
      now: story.server.clock.now,
    });
    await advance(15 * MINUTE - 1);
    expect((await verifier.verify(token)).tenant).toBe(tenantId);
    await advance(6 * MINUTE);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  test('the previous signing secret expires when its overlap ends', async () => {
    await withReceiver(async (receiver) => {
      await story.server.clock.freeze();
      const api = await newApi();
      const { body: endpoint } = await api('/v1/webhooks/endpoints', {
        body: { url: receiver.url, events: ['client.created'] },
      });
      await api(`/v1/webhooks/endpoints/${endpoint.id}/rotate_secret`, { body: { expires_in: HOUR } });
      const signatures = async () => {
        await api('/v1/clients', { body: { name: 'Acme' } });
        await story.server.idle();
        return String(receiver.received.at(-1)?.headers['x-platform-signature']).match(/v1=/g)?.length;
      };
      await advance(HOUR - 1);
      expect(await signatures()).toBe(2);
      await advance(1);
      expect(await signatures()).toBe(1);
    });
  });

  test('events expire after 30 days, and housekeeping removes them while the clock moves', async () => {
    await story.server.clock.freeze();
    const { tenantId, apiKey } = await story.server.createTenant();
    const api = apiOf(story.server.baseUrl, apiKey);
    await api('/v1/clients', { body: { name: 'Acme' } });
    const events = () => select(story.server.db, 'SELECT id FROM events WHERE tenant_id = :tenantId', { tenantId });
    await advance(30 * DAY - HOUR);
    expect(await events()).toHaveLength(1);
    const { body } = await advance(2 * HOUR);
    expect(body.work.rows_removed).toBeGreaterThan(0);
    expect(await events()).toHaveLength(0);
  });
});
