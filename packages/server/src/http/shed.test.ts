import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES } from '@plat/contract';
import { expect, test } from 'vitest';
import { createAdmission, createKnownTenants } from '../auth/admission.ts';
import { shedOverload } from './shed.ts';

test('a request of a tenant whose queue is full is refused before the application, others and health checks are not', async () => {
  const admission = createAdmission({ slots: 1, waitingOfTenant: 1 });
  const tenants = createKnownTenants();
  tenants.add('busy-key', 'busy');
  tenants.add('quiet-key', 'quiet');
  const seen: (string | undefined)[] = [];
  const server = createServer(
    shedOverload(admission, tenants, (req, res) => {
      seen.push(`${req.url} ${req.headers.authorization ?? ''}`);
      res.end('{}');
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const call = (path: string, key: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
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
  expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
  expect(seen).toEqual([]);

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
