import { describe, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

describe('a secret that is shown once', () => {
  it.each([
    [['webhooks', 'endpoints', 'create', '--url', 'https://example.com/hooks', '--events', '*'], 'secret'],
    [['webhooks', 'endpoints', 'rotate-secret', 'whe_1'], 'secret'],
    [['api', 'POST', '/v1/webhooks/endpoints/whe_1/rotate_secret'], 'secret'],
  ])('is not left out by --fields: %j', async (command, field) => {
    const api = await fakeApi(() => ({ body: { object: 'webhook_endpoint', id: 'whe_1', secret: 'whsec_new' } }));
    const refused = await plat([...command, '--fields', 'id'], { env: envFor(api) });
    expect([refused.code, api.received.length]).toEqual([2, 0]);
    expect(refused.stderr).toContain(`--fields id,${field}`);
    const shown = await plat([...command, '--fields', `id,${field}`], { env: envFor(api) });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('whsec_new')]);
  });
});
