import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { client, clientId, clientList, fakeApi, refusal } from '../testing/fake-api.ts';
import { LOGIN, loggedInTo } from '../testing/logged-in.ts';
import { emptyFolder, envFor, KEY, plat } from '../testing/plat.ts';

const echo = () => fakeApi(({ method, path, query, body }) => ({ body: { method, path, query, body } }));

async function bodyOf(fields: readonly string[], surroundings: { cwd?: string; stdin?: string } = {}) {
  const api = await echo();
  const { code, stderr } = await plat(['api', 'POST', '/v1/x', ...fields], { env: envFor(api), ...surroundings });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return api.received[0]?.body;
}

describe('plat api', () => {
  it('sends any request and prints the JSON answer', async () => {
    const api = await echo();
    const { stdout } = await plat(['api', 'get', 'v1/clients?limit=2', '-q', 'slug=a b'], { env: envFor(api) });
    expect(JSON.parse(stdout)).toEqual({ method: 'GET', path: '/v1/clients', query: { limit: '2', slug: 'a b' } });
  });

  it('converts fields to JSON types, and keeps --raw-field as text', async () => {
    const fields = ['a=true', 'b=null', 'c=12', 'd=-1.5', 'e=007', 'f=1e5', 'g=x=y', 'h=', 'i=9007199254740993'];
    expect(await bodyOf([...fields.flatMap((field) => ['-F', field]), '-f', 'j=12', '--raw-field', 'k=@x'])).toEqual({
      a: true,
      b: null,
      c: 12,
      d: -1.5,
      e: '007',
      f: '1e5',
      g: 'x=y',
      h: '',
      i: '9007199254740993',
      j: '12',
      k: '@x',
    });
  });

  it('builds lists and objects', async () => {
    const fields = ['events[]=client.created', 'events[]=client.deleted', 'a[b][c]=1', 'a[b][d][]=2', '__proto__[x]=1'];
    const body = await bodyOf(fields.flatMap((field) => ['--field', field]));
    expect(JSON.stringify(body)).toBe(
      '{"events":["client.created","client.deleted"],"a":{"b":{"c":1,"d":[2]}},"__proto__":{"x":1}}',
    );
  });

  it('reads a field or the whole body from a file or stdin', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'name.txt'), 'Acme');
    writeFileSync(join(cwd, 'body.json'), '{"name":"Acme"}');
    expect(await bodyOf(['-F', 'name=@name.txt'], { cwd })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['-F', 'name=@-'], { stdin: 'Acme' })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['--data', '@body.json'], { cwd })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['--data', '-'], { stdin: '{"name":"Acme"}' })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['-d', '{"name":"Acme"}'])).toEqual({ name: 'Acme' });
  });

  it('prints status and headers with --include', async () => {
    const api = await echo();
    const text = await plat(['api', 'GET', '/v1/me', '--include'], { env: envFor(api) });
    expect(text.stdout).toMatch(/^HTTP 200\ncontent-type: application\/json\n.*\n\n\{\n/s);
    const json = await plat(['api', 'GET', '/v1/me', '--include', '--json'], { env: envFor(api) });
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: {},
    });
  });

  it.each([
    ['a full URL', ['GET', 'https://evil.example/v1/me'], /path only/],
    ['an unknown method', ['FETCH', '/v1/me'], /not a method/],
    ['a body on GET', ['GET', '/v1/me', '-F', 'a=1'], /--query/],
    ['fields beside data', ['POST', '/v1/me', '-F', 'a=1', '-d', '{}'], /exclude each other/],
    ['data that is no object', ['POST', '/v1/me', '-d', '[1]'], /does not contain a JSON object/],
    ['a file that is not there', ['POST', '/v1/me', '-d', '@gone.json'], /cannot read gone.json/],
    ['a pair without =', ['POST', '/v1/me', '-F', 'name'], /name=value/],
    ['an invalid name', ['POST', '/v1/me', '-F', 'a]b=1'], /is not a field name/],
    ['a field given twice', ['POST', '/v1/me', '-F', 'a=1', '-F', 'a=2'], /a is given twice.*a\[\]=value/s],
    [
      'a field that is a list and a value',
      ['POST', '/v1/me', '-F', 'a=1', '-F', 'a[]=2'],
      /both as a value and as an object or list/,
    ],
    ['a query parameter given twice', ['GET', '/v1/me', '-q', 'a=1', '-q', 'a=2'], /given twice/],
    ['two readers of stdin', ['POST', '/v1/me', '-F', 'a=@-', '-F', 'b=@-'], /cannot both read stdin/],
    ['the key and the body from stdin', ['POST', '/v1/me', '-d', '-', '--api-key-file', '-'], /cannot both read stdin/],
  ])('refuses %s', async (_, args, message) => {
    const api = await echo();
    const { code, stdout, stderr } = await plat(['api', ...args], { env: envFor(api), stdin: '{}' });
    expect([code, stdout, api.received.length]).toEqual([2, '', 0]);
    expect(stderr).toMatch(message);
  });

  it('prints the items of all pages with --paginate', async () => {
    const api = await fakeApi((request) => clientList(45, request));
    const { stdout } = await plat(['api', 'GET', '/v1/clients', '--paginate'], { env: envFor(api) });
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 45 }, (_, index) => clientId(45 - index)),
    );
    const args = ['api', 'GET', '/v1/clients', '--paginate', '--fields', 'id', '--output', 'csv'];
    expect((await plat(args, { env: envFor(api) })).stdout.trimEnd().split('\n')).toHaveLength(46);
    const none = await echo();
    expect((await plat(['api', 'GET', '/v1/me', '--paginate'], { env: envFor(none) })).code).toBe(2);
    const empty = await fakeApi((request) => clientList(0, request));
    expect((await plat(['api', 'GET', '/v1/clients', '--paginate'], { env: envFor(empty) })).stdout).toBe('[]\n');
  });

  it('follows the cursor of a page without items with --paginate, and no cursor twice', async () => {
    const args = ['api', 'GET', '/v1/clients', '--paginate'];
    const list = (data: readonly object[], more: object) => ({
      body: { object: 'list', data, has_more: true, ...more },
    });
    const sparse = await fakeApi(({ query }) =>
      query['starting_after'] === undefined
        ? list([], { next_cursor: clientId(9) })
        : list([client(3)], { has_more: false }),
    );
    const { stdout } = await plat(args, { env: envFor(sparse) });
    expect(JSON.parse(stdout)).toMatchObject([{ id: clientId(3) }]);
    expect(sparse.received.map(({ query }) => query)).toEqual([{}, { starting_after: clientId(9) }]);
    const endless = await fakeApi(() => list([client(3)], {}));
    expect((await plat(args, { env: envFor(endless) })).code).toBe(2);
    expect(endless.received).toHaveLength(2);
  });

  it.each([
    ['backwards from a cursor', ['/v1/clients', '-q', 'limit=2', '-q', 'ending_before=cli_N'], [4, 5, 6, 7]],
    ['on from a cursor in the path', ['/v1/clients?limit=2&starting_after=cli_N'], [4, 3, 2, 1]],
  ])('prints all pages %s', async (_, args, numbers) => {
    const api = await fakeApi((request) => clientList(7, request));
    const words = args.map((arg) => arg.replace('cli_N', clientId(args.length > 1 ? 3 : 5)));
    const { stderr, stdout } = await plat(['api', 'GET', ...words, '--paginate'], { env: envFor(api) });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual(numbers.map(clientId));
  });

  it('shows the request with --dry-run and sends nothing, with any kind of key', async () => {
    const api = await echo();
    const args = [
      'api',
      'POST',
      '/v1/clients',
      '-F',
      'name=Acme',
      '-q',
      'a=b c',
      '--idempotency-key',
      'k',
      '--dry-run',
    ];
    const { code, stdout } = await plat(args, { env: envFor(api, 'plat_live_x') });
    expect([code, api.received.length]).toEqual([0, 0]);
    expect(JSON.parse(stdout)).toEqual({
      object: 'dry_run',
      method: 'POST',
      url: `${api.baseUrl}/v1/clients?a=b+c`,
      headers: {
        Authorization: 'Bearer (the key from PLAT_API_KEY)',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k',
      },
      body: { name: 'Acme' },
    });
  });

  it.skipIf(spawnSync('curl', ['--version']).status !== 0)(
    'prints an equivalent curl command without the key with --curl',
    async () => {
      const api = await echo();
      const args = ['api', 'POST', '/v1/clients?x=1', '-F', "name=It's $HOME", '-q', 'a=b c', '--curl'];
      const { code, stdout } = await plat(args, { env: envFor(api) });
      expect([code, api.received.length]).toEqual([0, 0]);
      expect(stdout).not.toContain(KEY);
      const child = spawn('sh', ['-c', stdout], { env: { PATH: process.env['PATH'], PLAT_API_KEY: KEY } });
      await new Promise((resolve) => child.on('close', resolve));
      expect(api.received).toMatchObject([
        { method: 'POST', path: '/v1/clients', query: { x: '1', a: 'b c' }, body: { name: "It's $HOME" } },
      ]);
      expect(api.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    },
  );

  it('sends the login, not the key, to the developer API, and asks for one without', async () => {
    const api = await echo();
    const [get, apps] = [['api', 'GET'], ['/developer/v1/apps']];
    const env = { ...envFor(api), ...loggedInTo(api) };
    expect((await plat([...get, ...apps], { env })).code).toBe(0);
    expect((await plat([...get, '/v1/clients'], { env })).code).toBe(0);
    const sent = api.received.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([`Bearer ${LOGIN.token}`, `Bearer ${KEY}`]);
    const dry = await plat([...get, ...apps, '--dry-run'], { env });
    expect(JSON.parse(dry.stdout).headers.Authorization).toBe('Bearer (the login from the profile it)');
    expect((await plat([...get, ...apps, '--curl'], { env })).stdout).toContain('Bearer $(plat auth token)');
    const without = await plat([...get, ...apps], { env: envFor(api) });
    expect(without.stderr).toMatch(/NOT_LOGGED_IN.*plat login/s);
    expect(api.received).toHaveLength(2);
  });

  it.each([[['--paginate', '-i']], [['--dry-run', '--curl']]])('refuses %j together', async (options) => {
    const api = await echo();
    expect((await plat(['api', 'GET', '/v1/me', ...options], { env: envFor(api) })).code).toBe(2);
    expect(api.received).toEqual([]);
  });

  it('fails like every other command', async () => {
    const api = await fakeApi(() => refusal(409, 'SLUG_IN_USE'));
    const { code, stdout, stderr } = await plat(['api', 'POST', '/v1/clients', '-F', 'name=A'], { env: envFor(api) });
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr).toContain('SLUG_IN_USE');
  });
});
