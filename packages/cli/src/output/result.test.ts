import { describe, expect, it } from 'vitest';
import { client, clientId, fakeApi } from '../testing/fake-api.ts';
import { envFor, KEY, plat } from '../testing/plat.ts';

const ME = { object: 'me', tenant_id: 'tnt_1', credential_type: 'api_key', scopes: ['clients:read', 'me:read'] };

describe('a result', () => {
  it('is lines of name and value for people', async () => {
    const api = await fakeApi(() => ({ body: ME }));
    const { code, stdout, stderr } = await plat(['me'], { env: envFor(api) });
    expect(stdout).toBe(
      'object           me\ntenant_id        tnt_1\ncredential_type  api_key\nscopes           clients:read, me:read\n',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(api.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'user-agent': expect.stringContaining('plat-cli/'),
    });
  });

  it("is the API's JSON with --json, before the command or behind it", async () => {
    const api = await fakeApi(() => ({ body: { ...ME, added_later: [1] } }));
    for (const args of [
      ['me', '--json'],
      ['--json', 'me'],
    ]) {
      const { stdout } = await plat(args, { env: envFor(api) });
      expect(JSON.parse(stdout)).toEqual({ ...ME, added_later: [1] });
    }
  });

  it('shows a signing secret where the API does, once', async () => {
    const api = await fakeApi(() => ({ status: 201, body: { object: 'webhook_endpoint', secret: 'whsec_once' } }));
    const args = ['webhooks', 'endpoints', 'create', '--url', 'https://a.example', '--events'];
    const { stdout, stderr } = await plat([...args, 'client.created, client.deleted', '--events', '*'], {
      env: envFor(api),
    });
    expect(stdout).toContain('whsec_once');
    expect(stderr).toBe('');
    expect(api.received[0]?.body).toEqual({
      url: 'https://a.example',
      events: ['client.created', 'client.deleted', '*'],
    });
  });

  it('cannot send control characters to the terminal', async () => {
    const api = await fakeApi(() => ({ body: client(1, { name: '\u001b]0;owned\u0007\u009b31m\u202e\nx' }) }));
    const text = await plat(['clients', 'get', clientId(1)], { env: envFor(api), columns: 80 });
    expect(text.stdout).toContain('\\u001b]0;owned\\u0007\\u009b31m\\u202e\\nx');
    const json = await plat(['clients', 'get', clientId(1), '--json'], { env: envFor(api) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(json.stdout).not.toMatch(/[\u0000-\u0009\u001b\u007f-\u009f\u202e]/);
    expect(JSON.parse(json.stdout)).toMatchObject({ name: '\u001b]0;owned\u0007\u009b31m\u202e\nx' });
  });
});

describe('colours', () => {
  it.each([
    ['on a terminal', {}, 80, true],
    ['in a pipe', {}, undefined, false],
    ['with NO_COLOR', { NO_COLOR: '1' }, 80, false],
    ['with an empty NO_COLOR', { NO_COLOR: '' }, 80, true],
    ['in a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, undefined, true],
    ['with FORCE_COLOR=0', { FORCE_COLOR: '0' }, 80, false],
    ['on a dumb terminal', { TERM: 'dumb' }, 80, false],
  ])('follow the variables %s', async (_, env, columns, coloured) => {
    const api = await fakeApi(() => ({ body: ME }));
    const { stdout } = await plat(['me'], { env: { ...envFor(api), ...env }, ...(columns && { columns }) });
    expect(stdout.includes('\u001b[')).toBe(coloured);
  });
});
