import { describe, expect, it } from 'vitest';
import { client, clientId, fakeApi } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

describe('a change', () => {
  it('sends only the fields given, and null for --no-…', async () => {
    const api = await fakeApi(() => ({ body: client(1) }));
    await plat(['clients', 'update', clientId(1), '--no-domain', '--status', 'inactive'], { env: envFor(api) });
    expect(api.received[0]?.body).toEqual({ domain: null, status: 'inactive' });
  });

  it('is refused without any field, before anything is sent', async () => {
    const api = await fakeApi(() => ({ body: client(1) }));
    const { code, stderr } = await plat(['clients', 'update', clientId(1)], { env: envFor(api) });
    expect([code, api.received.length]).toEqual([2, 0]);
    expect(stderr).toContain('Pass at least one field');
  });

  it('sends the idempotency key of the caller', async () => {
    const api = await fakeApi(() => ({ status: 201, body: client(1) }));
    await plat(['clients', 'create', '--name', 'Acme', '--idempotency-key', 'order-7'], { env: envFor(api) });
    expect(api.received[0]).toMatchObject({ headers: { 'idempotency-key': 'order-7' }, body: { name: 'Acme' } });
  });

  it.each([
    [['clients', 'create', '--name', 'Acme']],
    [['api', 'POST', '/v1/clients', '-F', 'name=Acme']],
    [['clients', 'delete', clientId(1), '--yes']],
    [['webhooks', 'replays', 'create', '--since', '1h']],
    [['webhooks', 'deliveries', 'replay', '--failed', '--since', '1h']],
  ])('with a production key needs --live: %j', async (args) => {
    const api = await fakeApi(() => ({ body: client(1) }));
    const env = envFor(api, 'plat_live_0123456789');
    const refused = await plat(args, { env });
    expect([refused.code, api.received.length]).toEqual([10, 0]);
    expect(refused.stderr).toMatch(/production.*--live/s);
    expect((await plat([...args, '--live'], { env })).code).toBe(0);
  });

  it('is not needed to read with a production key', async () => {
    const api = await fakeApi(() => ({ body: { object: 'me', tenant_id: 'tnt_1' } }));
    expect((await plat(['me'], { env: envFor(api, 'plat_live_0123456789') })).code).toBe(0);
  });
});
