import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES } from '@plat/contract';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmission } from '../auth/admission.ts';
import { createKnownShares } from '../auth/shares.ts';
import { measureInto } from '../kernel/meter.ts';
import { shedOverload } from './shed.ts';

test('a request of a tenant whose queue is full is refused before the application, others and health checks are not', async () => {
  const admission = createAdmission({ slots: 1, waitingOfShare: 1 });
  const shares = createKnownShares();
  shares.add('busy-key', 'busy');
  shares.add('quiet-key', 'quiet');
  const seen: (string | undefined)[] = [];
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  const counted: unknown[] = [];
  measureInto({
    add: (name, labels) => void (name === 'plat_http_requests_total' && counted.push(labels)),
    set: () => undefined,
    observe: () => undefined,
    clear: () => undefined,
  });
  onTestFinished(() => measureInto(null));
  const server = createServer(
    shedOverload({ admission, shares, log }, (req, res) => {
      seen.push(`${req.url} ${req.headers.authorization ?? ''}`);
      res.end('{}');
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const call = (path: string, key: string, scheme = 'Bearer') =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      headers: { authorization: `${scheme} ${key}` },
    });
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
  const line = { req_id: refused.headers.get('x-request-id'), share: 'busy', refused: 1 };
  expect(lines.map((text) => JSON.parse(text))).toEqual([expect.objectContaining(line)]);
  expect(counted).toEqual(Array(3).fill({ operation: '', method: '', status: 503, code: 'SERVICE_UNAVAILABLE' }));

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
  await new Promise((resolve) => server.close(resolve));
});
