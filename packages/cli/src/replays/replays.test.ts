import { describe, expect, it } from 'vitest';
import { type Answer, fakeApi, refusal } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

const AT = '2026-01-02T03:04:05.678Z';
const id = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;
const HOUR_MS = 3_600_000;

const replay = (changes: Record<string, unknown> = {}) => ({
  object: 'webhook_replay',
  id: id('rpl'),
  endpoint_id: null,
  select: 'failed',
  since: AT,
  until: AT,
  event_types: null,
  status: 'pending',
  examined_count: 0,
  scheduled_count: 0,
  total_count: null,
  completed_at: null,
  created_at: AT,
  updated_at: AT,
  ...changes,
});
const RUNNING = { status: 'running', examined_count: 200, total_count: 400, scheduled_count: 7 };
const COMPLETED = { status: 'completed', examined_count: 400, total_count: 400, scheduled_count: 9, completed_at: AT };

/** Answers a create with a pending replay, and each read with the next of these states. */
async function apiWith(...looks: readonly Record<string, unknown>[]) {
  const left = [...looks];
  return fakeApi(({ method }): Answer => {
    if (method === 'POST') return { status: 202, body: replay() };
    return { body: replay(left.length > 1 ? left.shift() : left[0]) };
  });
}

const CREATE = ['webhooks', 'replays', 'create'];
const FAILED = ['webhooks', 'deliveries', 'replay', '--failed'];

it('of a delivery needs --live with a production key', async () => {
  const api = await apiWith();
  const args = ['webhooks', 'deliveries', 'replay', id('del'), '--json'];
  const refused = await plat(args, { env: envFor(api, 'plat_live_0123456789') });
  expect([refused.code, api.received]).toEqual([10, []]);
});

describe('a time', () => {
  it.each([
    ['30m', HOUR_MS / 2],
    ['24h', 24 * HOUR_MS],
    ['7d', 7 * 24 * HOUR_MS],
  ])('can be an age such as %s', async (since, ago) => {
    for (const command of [CREATE, FAILED]) {
      const api = await apiWith();
      const before = Date.now() - ago;
      expect((await plat([...command, '--since', since], { env: envFor(api) })).code).toBe(0);
      const sent = Object(api.received[0]?.body).since;
      expect(Date.parse(sent)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(sent)).toBeLessThanOrEqual(Date.now() - ago);
    }
  });

  it('that cannot be read is refused before anything is sent', async () => {
    for (const command of [CREATE, FAILED]) {
      for (const times of [
        ['--since', 'yesterday'],
        ['--since', '1h', '--until', '5y'],
      ]) {
        const api = await apiWith();
        const { code, stderr } = await plat([...command, ...times], { env: envFor(api) });
        expect([code, api.received]).toEqual([2, []]);
        expect(stderr).toContain(times.at(-2));
      }
    }
  });
});

describe('plat webhooks replays create', () => {
  it('sends the parameters, and prints the replay without waiting', async () => {
    const api = await apiWith();
    const filters = ['--endpoint-id', id('whe'), '--select', 'missed', '--event-types', 'client.created,user.invited'];
    const times = ['--since', AT, '--until', '2026-01-03T00:00:00+01:00', '--idempotency-key', 'once'];
    const { code, stdout, stderr } = await plat([...CREATE, ...times, ...filters], { env: envFor(api) });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^id +rpl_0+$/m);
    expect(stdout).toMatch(/^status +pending$/m);
    expect(api.received).toMatchObject([
      {
        method: 'POST',
        path: '/v1/webhooks/replays',
        headers: { 'idempotency-key': 'once' },
        body: {
          since: AT,
          until: '2026-01-02T23:00:00.000Z',
          endpoint_id: id('whe'),
          select: 'missed',
          event_types: ['client.created', 'user.invited'],
        },
      },
    ]);
  });

  it('with --wait shows the progress on a terminal, and prints the replay when it is complete', async () => {
    const api = await apiWith({}, RUNNING, COMPLETED);
    const pauses: number[] = [];
    const wait = async (ms: number) => void pauses.push(ms);
    const args = [...CREATE, '--since', AT, '--wait'];
    const { code, stdout, stderr } = await plat(args, { env: { ...envFor(api), NO_COLOR: '1' }, columns: 120, wait });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^status +completed$/m);
    expect(stderr).toContain(`pending (${id('rpl')})`);
    expect(stderr).toContain('[##########          ]  50 %  running: 200 of 400 events examined, 7 scheduled (rpl_');
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
    expect(pauses).toEqual([250, 375, 562.5]);
    expect(api.received.slice(1).map(({ path }) => path)).toEqual(Array(3).fill(`/v1/webhooks/replays/${id('rpl')}`));
  });

  it('with --wait shows no progress without a terminal or in JSON mode', async () => {
    const wait = async () => undefined;
    for (const [more, columns] of [
      [[], undefined],
      [['--json'], 120],
    ] as const) {
      const api = await apiWith(RUNNING, COMPLETED);
      const terminal = columns === undefined ? {} : { columns };
      const args = [...CREATE, '--since', AT, '--wait', ...more];
      const { code, stdout, stderr } = await plat(args, { env: envFor(api), wait, ...terminal });
      expect([code, stderr]).toEqual([0, '']);
      if (more.length > 0) expect(JSON.parse(stdout)).toEqual(replay(COMPLETED));
    }
  });

  it.each([
    ['failed', 'no event in this time has a failed last delivery'],
    ['missed', 'every event in this time has a delivery'],
    ['undelivered', 'every event in this time was delivered'],
  ])('with --wait says why a replay of %s events scheduled nothing', async (select, why) => {
    const api = await apiWith({ ...COMPLETED, select, scheduled_count: 0 });
    const args = [...CREATE, '--since', '1h', '--select', select, '--wait'];
    const { code, stderr } = await plat(args, { env: envFor(api), wait: async () => {} });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Nothing was scheduled: ${why}`)]);
  });

  it('with --wait ends with 11 when the replay was canceled', async () => {
    const api = await apiWith(RUNNING, { ...RUNNING, status: 'canceled' });
    const args = [...CREATE, '--since', AT, '--wait'];
    const { code, stdout, stderr } = await plat(args, { env: envFor(api), wait: async () => undefined });
    expect(code).toBe(11);
    expect(stdout).toMatch(/^status +canceled$/m);
    expect(stderr).toContain('REPLAY_CANCELED');
  });

  it('needs --since', async () => {
    expect((await plat(CREATE)).code).toBe(2);
  });
});

describe('plat webhooks deliveries replay', () => {
  it('--failed creates a replay of failed deliveries', async () => {
    const api = await apiWith(COMPLETED);
    const filters = ['--endpoint', id('whe'), '--type', 'client.created', 'client.updated', '--type', 'user.invited'];
    const args = [...FAILED, '--since', AT, '--until', AT, ...filters, '--wait', '--idempotency-key', 'once'];
    const { code, stdout } = await plat(args, { env: envFor(api), wait: async () => undefined });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^status +completed$/m);
    expect(api.received[0]).toMatchObject({
      path: '/v1/webhooks/replays',
      headers: { 'idempotency-key': 'once' },
      body: {
        select: 'failed',
        since: AT,
        until: AT,
        endpoint_id: id('whe'),
        event_types: ['client.created', 'client.updated', 'user.invited'],
      },
    });
  });

  it('of one delivery sends its event to its endpoint again', async () => {
    const delivery = { object: 'webhook_delivery', id: id('del'), event_id: id('evt'), endpoint_id: id('whe') };
    const again = { ...delivery, id: `del_${'1'.repeat(26)}`, attempt: 1, status: 'pending' };
    const api = await fakeApi(({ method }) =>
      method === 'GET'
        ? { body: delivery }
        : { status: 202, body: { object: 'list', data: [again], has_more: false, url: '' } },
    );
    const args = ['webhooks', 'deliveries', 'replay', id('del'), '--json', '--idempotency-key', 'once'];
    const { code, stdout } = await plat(args, { env: envFor(api) });
    expect([code, JSON.parse(stdout)]).toEqual([0, again]);
    expect(api.received).toMatchObject([
      { path: `/v1/webhooks/deliveries/${id('del')}` },
      {
        path: `/v1/webhooks/events/${id('evt')}/replay`,
        body: { endpoint_id: id('whe') },
        headers: { 'idempotency-key': 'once' },
      },
    ]);
  });

  it.each([
    [[], '--failed'],
    [['--failed'], '--since'],
    [['--since', '24h'], '--failed'],
    [[id('del'), '--failed'], 'either the id of a delivery'],
    [[id('del'), '--wait'], 'either the id of a delivery'],
    [['--failed', '--since', '24h', '--type', 'client.creatd'], 'client.created'],
  ])('%j is refused with what to do', async (args, words) => {
    const api = await apiWith();
    const { code, stderr } = await plat(['webhooks', 'deliveries', 'replay', ...args], { env: envFor(api) });
    expect([code, api.received]).toEqual([2, []]);
    expect(stderr).toContain(words);
  });
});

it('an unknown replay shows how to list replays', async () => {
  const api = await fakeApi(() => refusal(404, 'WEBHOOK_REPLAY_NOT_FOUND'));
  const ended = await plat(['webhooks', 'replays', 'cancel', id('rpl')], { env: envFor(api) });
  expect(ended.code).toBe(5);
  expect(ended.stderr).toContain('plat webhooks replays list');
});
