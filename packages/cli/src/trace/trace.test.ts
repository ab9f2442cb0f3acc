import type { TraceAttempt, TraceChange, TraceRequest, WebhookDelivery } from '@plat/contract';
import { DELIVERY_ERROR_REFERENCE } from '@plat/contract/error-reference';
import { describe, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

const AT = '2026-01-02T03:04:05.678Z';
const id = (prefix: string, n = 1) => `${prefix}_${String(n).padStart(26, '0')}`;

const request: TraceRequest = {
  ...{ kind: 'request', id: id('req'), at: AT, caused_by: null },
  request: {
    ...{
      object: 'request',
      id: id('req'),
      method: 'POST',
      path: '/v1/clients',
      query: null,
      operation: 'clients.create',
    },
    ...{ outcome: 'succeeded', status: 201, error: null, credential: { type: 'api_key', id: id('key'), app_id: null } },
    ...{ idempotency_key: null, idempotent_replayed: false, ip: '203.0.113.7', user_agent: null, duration_ms: 9.4 },
    created_at: AT,
  },
};
const change: TraceChange = {
  ...{ kind: 'change', id: id('aud'), at: AT, caused_by: id('req') },
  change: {
    ...{ object: 'audit_event', id: id('aud'), actor: { type: 'api_key', id: id('key') }, action: 'client.updated' },
    ...{ target: { type: 'client', id: id('cli') }, changes: { name: { before: 'Old\u001b[31m', after: 'New' } } },
    ...{ session_id: null, request_id: id('req'), ip: null, created_at: AT },
  },
};
const attempt = (n: number, delivery: Partial<WebhookDelivery>): TraceAttempt => ({
  ...{ kind: 'attempt', id: id('del', n), at: AT, caused_by: id('aud'), sent: null },
  endpoint: { id: id('whe'), url: 'https://example.com/hooks', status: 'enabled', paused_until: null },
  delivery: {
    ...{ object: 'webhook_delivery', id: id('del', n), event_id: id('evt'), event_type: 'client.updated' },
    ...{ endpoint_id: id('whe'), attempt: n, status: 'retrying', response_status: null, response_headers: null },
    ...{ response_body: null, error_class: null, error: null, remote_address: null, duration_ms: null, timings: null },
    ...{ scheduled_at: AT, attempted_at: AT, created_at: AT, updated_at: AT },
    ...delivery,
  },
});
const failed = attempt(1, {
  ...{ response_status: 500, response_body: 'no\n table', error_class: 'http_status', duration_ms: 312 },
  timings: { dns_ms: 6, connect_ms: 14, tls_ms: null, first_byte_ms: 236, total_ms: 312 },
});
const due = { ...attempt(2, { status: 'pending' }), at: new Date(Date.now() + 72_000).toISOString() };
const trace = {
  object: 'trace',
  id: id('del'),
  subject: { type: 'webhook_delivery', id: id('del') },
  problems: [{ entry_id: id('del'), code: 'http_status', ...DELIVERY_ERROR_REFERENCE.http_status }],
  entries: [request, change, failed, due],
  has_more: true,
  next_cursor: id('aud'),
  truncated: [],
  withheld: [
    { part: 'events', scope: 'webhooks:read' },
    { part: 'replays', scope: 'webhooks:read' },
  ],
};

async function run(...args: readonly string[]) {
  const api = await fakeApi(() => ({ body: trace }));
  const result = await plat(['trace', ...args], { env: { ...envFor(api), TZ: 'UTC' } });
  return { ...result, received: api.received };
}

describe('plat trace', () => {
  it('prints the problems with cause and fix, then the timeline from cause to effect', async () => {
    const { code, stdout, stderr } = await run(` ${id('del')} `);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2)).toEqual([
      `http_status  ${id('del')}`,
      `  Cause: ${DELIVERY_ERROR_REFERENCE.http_status.cause}`,
    ]);
    const rows = lines.filter((line) => /^\d\d:/.test(line)).map((line) => line.slice('hh:mm:ss.mmm  '.length));
    expect(rows).toEqual([
      `request  POST /v1/clients  201  9 ms  ${id('req')}`,
      `change   client.updated  ${id('cli')}  ${id('aud')}`,
      `attempt  1 to https://example.com/hooks  500  312 ms  ${id('del', 1)}`,
      expect.stringMatching(/^attempt {2}2 to https:\/\/example\.com\/hooks {2}due in 1 min {2}del_0+2$/),
    ]);
    expect(stdout).toContain(`api_key ${id('key')} from 203.0.113.7`);
    expect(stdout).toContain('dns 6 ms, connect 14 ms, first byte 236 ms');
    expect(stdout).toContain('no table');
    expect(stderr).toContain('Not shown without the scope webhooks:read: events, replays');
    expect(stderr).toContain(`Older causes: plat trace ${id('del')} --starting-after ${id('aud')}`);
  });

  it('prints no control character of recorded text', async () => {
    const { stdout } = await run(id('cli'));
    expect(stdout).toContain('name: "Old');
    expect(stdout).not.toContain('\u001b');
    const spoiled = [
      { ...request, id: `${id('req')}\u001b[2J`, at: `${AT.slice(0, 20)}\u001bcZ` },
      { ...due, endpoint: { ...due.endpoint, paused_until: '\u001b[2J' } },
    ];
    const api = await fakeApi(() => ({ body: { ...trace, entries: spoiled } }));
    const { stdout: ofSpoiled } = await plat(['trace', id('cli')], { env: envFor(api) });
    expect(ofSpoiled).toContain('paused until');
    expect(ofSpoiled).not.toContain('\u001b');
  });

  it('prints the answer of the API with --json, and sends limit and cursor', async () => {
    const { stdout, stderr, received } = await run(id('del'), '--limit', '5', '--starting-after', id('aud'), '--json');
    expect([JSON.parse(stdout), stderr]).toEqual([trace, '']);
    expect(received).toMatchObject([
      { path: `/v1/trace/${id('del')}`, query: { limit: '5', starting_after: id('aud') } },
    ]);
  });

  it('takes an e-mail address', async () => {
    expect((await run('ada@example.com')).received[0]?.path).toBe('/v1/trace/ada%40example.com');
  });
});
