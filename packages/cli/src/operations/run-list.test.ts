import { describe, expect, it } from 'vitest';
import { clientId, clientList, fakeApi, refusal } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

describe('a list', () => {
  it('is an aligned table, and says on stderr that there is more', async () => {
    const api = await fakeApi((request) => clientList(3, request));
    const { stdout, stderr } = await plat(['clients', 'list', '--limit', '2'], { env: envFor(api) });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^ID {30}NAME {6}STATUS {2}SLUG {6}CUSTOM_DOMAIN {2}CREATED_AT$/);
    expect(lines[1]).toBe(`${clientId(3)}  Client 3  active  client-3  -              2026-01-02T03:04:05.678Z`);
    expect(lines).toHaveLength(4);
    const next = `plat clients list --limit 2 --starting-after ${clientId(2)}`;
    expect(stderr).toBe(`There are more (or add --all): ${next}\n`);
  });

  it('pages backwards by the first id of a page', async () => {
    const api = await fakeApi((request) => clientList(5, request));
    const args = ['clients', 'list', '--limit', '2', '--ending-before', clientId(1)];
    expect((await plat(args, { env: envFor(api) })).stderr).toContain(`--ending-before ${clientId(3)}`);
  });

  it('is the envelope of the API with --json', async () => {
    const api = await fakeApi((request) => clientList(3, request));
    const { stdout, stderr } = await plat(['clients', 'list', '--json', '--slug', 'x'], { env: envFor(api) });
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'list',
      data: { length: 3 },
      has_more: false,
      url: '/v1/clients',
    });
    expect(stderr).toBe('');
    expect(api.received[0]?.query).toEqual({ slug: 'x' });
  });

  it.each([
    [['--limit', '50'], 50, true, 1],
    [['--limit', '150'], 150, true, 2],
    [['--limit', '240'], 240, true, 3],
    [['--limit', '250'], 250, false, 3],
    [['--all'], 250, false, 3],
  ])('is the same envelope for every limit: %j', async (options, count, hasMore, requests) => {
    const api = await fakeApi((request) => clientList(250, request));
    const { stdout } = await plat(['clients', 'list', ...options, '--json'], { env: envFor(api) });
    const { data, ...envelope } = JSON.parse(stdout);
    expect(envelope).toEqual({ object: 'list', has_more: hasMore, url: '/v1/clients' });
    expect(Object.keys(JSON.parse(stdout))).toEqual(['object', 'data', 'has_more', 'url']);
    expect([data.length, data.at(-1).id]).toEqual([count, clientId(251 - count)]);
    expect(api.received).toHaveLength(requests);
  });

  it('is an empty JSON list without items', async () => {
    const api = await fakeApi((request) => clientList(0, request));
    const { stdout } = await plat(['clients', 'list', '--all', '--json'], { env: envFor(api) });
    expect(JSON.parse(stdout)).toEqual({ object: 'list', data: [], has_more: false, url: '/v1/clients' });
    expect(await plat(['clients', 'list'], { env: envFor(api) })).toMatchObject({
      stdout: '',
      stderr: 'None found.\n',
    });
  });

  it('spans several pages with a limit above one page', async () => {
    const api = await fakeApi((request) => clientList(250, request));
    const { stdout } = await plat(['clients', 'list', '--limit', '150', '--ndjson'], { env: envFor(api) });
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect([ids.length, ids[0], ids[149]]).toEqual([150, clientId(250), clientId(101)]);
  });

  it('prints the items before an error, and the cursor to continue with', async () => {
    const api = await fakeApi((request) =>
      request.query['starting_after'] ? refusal(403, 'INSUFFICIENT_SCOPE') : clientList(250, request),
    );
    const { code, stdout, stderr } = await plat(['clients', 'list', '--all', '--ndjson'], { env: envFor(api) });
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([3, 100]);
    expect(JSON.parse(stderr).error.next).toContain(`Continue with --starting-after ${clientId(151)}`);
    const backwards = await fakeApi((request) =>
      request.query['ending_before'] === clientId(1) ? clientList(250, request) : refusal(403, 'INSUFFICIENT_SCOPE'),
    );
    const args = ['clients', 'list', '--all', '--ending-before', clientId(1)];
    expect((await plat(args, { env: envFor(backwards) })).stderr).toContain(
      `Continue with --ending-before ${clientId(101)}`,
    );
  });

  it('omits the least important columns on a narrow terminal and shows relative times, unless --wide', async () => {
    const api = await fakeApi((request) => clientList(3, request));
    const at = (columns: number, ...more: string[]) =>
      plat(['clients', 'list', ...more], { env: { ...envFor(api), NO_COLOR: '1' }, columns });
    const narrow = await at(80);
    for (const line of narrow.stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(narrow.stdout).toMatch(/^ID {30}NAME {6}STATUS {2}SLUG {6}CREATED_AT$/m);
    expect(narrow.stdout).toMatch(/Client 3 {2}active {2}client-3 {2}\d+ d ago$/m);
    expect(narrow.stderr).toContain('Not shown: custom_domain (add --wide)');
    const named = await at(80, '--fields', 'id,custom_domain,created_at,updated_at,name,slug');
    expect(named.stdout).toMatch(/CUSTOM_.*CREATED.*UPDATED.*NAME.*SLUG/);
    const wide = await at(80, '--wide');
    expect(wide.stdout).toMatch(/CUSTOM_DOMAIN {2}CREATED_AT$/m);
    expect(wide.stdout).toContain('2026-01-02T03:04:05.678Z');
  });

  it('cuts long cells to the width of a terminal, and never an id', async () => {
    const api = await fakeApi((request) => clientList(3, request));
    const args = ['clients', 'list', '--fields', 'id,slug,custom_domain,created_at'];
    const { stdout } = await plat(args, { env: { ...envFor(api), NO_COLOR: '1' }, columns: 60 });
    for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    expect(stdout).toContain(clientId(1));
    expect(stdout).toContain('…');
  });

  it('refuses --all with --limit', async () => {
    expect((await plat(['clients', 'list', '--all', '--limit', '5'])).code).toBe(2);
  });
});
