import { describe, expect, it } from 'vitest';
import { clientId, fakeApi } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

describe('a deletion', () => {
  const deleted = { object: 'client', id: clientId(1), deleted: true };

  it.each([[['clients', 'delete', clientId(1)]], [['api', 'DELETE', `/v1/clients/${clientId(1)}`]]])(
    'without a terminal and without --yes is refused: %j',
    async (args) => {
      const api = await fakeApi(() => ({ body: deleted }));
      const refused = await plat(args, { env: envFor(api), stdin: 'y\n' });
      expect([refused.code, api.received.length]).toEqual([10, 0]);
      expect(refused.stderr).toContain('--yes');
      expect((await plat([...args, '--yes'], { env: envFor(api) })).code).toBe(0);
    },
  );

  it.each([
    ['y\n', 0],
    ['YES\n', 0],
    ['n\n', 10],
    ['\n', 10],
    ['', 10],
    ['yep\n', 10],
  ])('on a terminal asks, and %j ends with %i', async (stdin, code) => {
    const api = await fakeApi(({ method }) => ({ body: method === 'GET' ? { name: 'Acme' } : deleted }));
    const ended = await plat(['clients', 'delete', clientId(1)], { env: envFor(api), stdin, columns: 80 });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(/Delete client "Acme" \(cli_\w+\)\? It cannot be restored, .* \[y\/N\] /);
    expect(api.received.map(({ method }) => method)).toEqual(code === 0 ? ['GET', 'DELETE'] : ['GET']);
  });
});

describe('a secret that is replaced', () => {
  const endpoint = { object: 'webhook_endpoint', id: 'whe_1', url: 'https://example.com/hooks', secret: 'whsec_new' };
  const rotate = ['webhooks', 'endpoints', 'rotate-secret', 'whe_1'];

  it('is asked about on a terminal, by the name of its object and with the consequence', async () => {
    const api = await fakeApi(() => ({ body: endpoint }));
    const refused = await plat(rotate, { env: envFor(api), stdin: 'n\n', columns: 80 });
    expect(refused.code).toBe(10);
    expect(refused.stderr).toMatch(/"https:\/\/example.com\/hooks" \(whe_1\)\? Without --expires-in .* \[y\/N\]/);
    expect(api.received.map(({ method }) => method)).toEqual(['GET']);
    expect((await plat(rotate, { env: envFor(api), stdin: 'y\n', columns: 80 })).stdout).toContain('whsec_new');
  });

  it.each([
    [[], undefined],
    [['--yes'], 80],
  ])('is not asked about in a script, or with --yes: %j', async (more, columns) => {
    const api = await fakeApi(() => ({ body: endpoint }));
    const ended = await plat([...rotate, ...more], { env: envFor(api), ...(columns && { columns }) });
    expect([ended.code, api.received.length]).toEqual([0, 1]);
  });
});
