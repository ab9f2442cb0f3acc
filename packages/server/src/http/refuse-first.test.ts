import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES } from '@plat/contract';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmission } from '../auth/admission.ts';
import { createKnownShares } from '../auth/shares.ts';
import { measureInto } from '../kernel/meter.ts';
import type { OverLimit } from './over-limit.ts';
import { prepareRefusal } from './prepared-refusal.ts';
import { rateLimited } from './rate-limited.ts';
import { refuseFirst } from './refuse-first.ts';

/** Serves with the given parts. The lines of the log and the counted requests are kept. */
async function serve(parts: Partial<Parameters<typeof refuseFirst>[0]>) {
  const seen: (string | undefined)[] = [];
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  const counted: unknown[] = [];
  measureInto({
    add: (name, labels) => void (name !== 'plat_http_shed_total' && counted.push([name, labels])),
    set: () => undefined,
    observe: () => undefined,
    clear: () => undefined,
  });
  onTestFinished(() => measureInto(null));
  const services = {
    admission: createAdmission({ slots: 1 }),
    shares: createKnownShares(),
    overLimit: null,
    log,
    ...parts,
  };
  const server = createServer(
    refuseFirst(services, (req, res) => {
      seen.push(`${req.url} ${req.headers.authorization ?? ''}`);
      res.end('{}');
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const call = (path: string, key: string, scheme = 'Bearer', method = 'GET') =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      method,
      headers: { authorization: `${scheme} ${key}` },
      ...(method === 'POST' && { body: '{}' }),
    });
  return { call, seen, lines, counted };
}

test('a request of a tenant whose queue is full is refused before Express, others and health checks are not', async () => {
  const admission = createAdmission({ slots: 1, waitingOfShare: 1 });
  const shares = createKnownShares();
  shares.add('busy-key', 'busy');
  shares.add('quiet-key', 'quiet');
  const { call, seen, lines, counted } = await serve({ admission, shares });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = [admission.run('busy', () => held), admission.run('busy', () => held)];

  const refused = await call('/v1/clients', 'busy-key');
  expect(refused.status).toBe(ERROR_CODES.SERVICE_UNAVAILABLE.status);
  expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
  expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
  expect(seen).toEqual([]);
  for (const path of ['/developer/v1/apps', '/operator/v1/tenants']) {
    expect((await call(path, 'busy-key')).status).toBe(ERROR_CODES.SERVICE_UNAVAILABLE.status);
  }
  const line = { level: 40, req_id: refused.headers.get('x-request-id'), share: 'busy', refused: 1 };
  expect(lines).toEqual([expect.objectContaining(line)]);
  const labels = { operation: '', method: '', status: 503, code: 'SERVICE_UNAVAILABLE' };
  expect(counted).toEqual(Array(3).fill(['plat_http_requests_total', labels]));

  expect((await call('/v1/clients', 'busy-key', 'bearer')).status).toBe(503);
  for (const [path, key] of [
    ['/v1/clients', 'quiet-key'],
    ['/v1/clients', 'never-seen'],
    ['/livez', 'busy-key'],
  ] as const) {
    expect((await call(path, key)).status).toBe(200);
  }
  release();
  await Promise.all(running);
  expect((await call('/v1/clients', 'busy-key')).status).toBe(200);
  expect(seen).toHaveLength(4);
});

test('a request of a credential over its limit is refused before Express, on /v1 only', async () => {
  const rate = { limit: 50, remaining: 0, endsInMs: 2_500, reset: 1_700_000_000, retryAfter: 3 };
  const found = {
    refusal: prepareRefusal(rateLimited('Over 50 requests in the window; wait 3 s', rate)),
    caller: { tenant: 'tnt_1', credential: 'key_1' },
  };
  const findRefusal: OverLimit['findRefusal'] = ({ headers }) =>
    headers.authorization === 'Bearer busy-key' ? found : undefined;
  const { call, seen, lines, counted } = await serve({ overLimit: { findRefusal } });

  const refused = await call('/v1/clients', 'busy-key');
  expect(refused.status).toBe(ERROR_CODES.RATE_LIMITED.status);
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    ...{
      'retry-after': '3',
      'x-ratelimit-limit': '50',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1700000000',
    },
    ...{ 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
  expect(await refused.json()).toEqual({ code: 'RATE_LIMITED', message: 'Over 50 requests in the window; wait 3 s' });
  const again = await call('/v1?x', 'busy-key', 'Bearer', 'POST');
  expect(again.status).toBe(429);
  const requestId = refused.headers.get('x-request-id');
  expect(again.headers.get('x-request-id')).not.toBe(requestId);
  const line = { level: 30, req_id: requestId, tenant: 'tnt_1', credential: 'key_1', refused: 1 };
  expect(lines).toEqual([{ ...line, msg: 'requests refused over the rate limit' }]);
  const labels = { operation: '', method: '', status: 429, code: 'RATE_LIMITED' };
  const each = [
    ['plat_rate_limited_total', { counter: 'rate' }],
    ['plat_http_requests_total', labels],
  ];
  expect(counted).toEqual([...each, ...each]);
  expect(seen).toEqual([]);
  for (const path of ['/developer/v1/apps', '/livez']) expect((await call(path, 'busy-key')).status).toBe(200);
  expect((await call('/v1/clients', 'quiet-key')).status).toBe(200);
});
