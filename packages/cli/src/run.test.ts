import { describe, expect, it } from 'vitest';
import { client, clientId, clientList, fakeApi, REQUEST_ID, refusal } from './testing/fake-api.ts';
import { envFor, KEY, plat } from './testing/plat.ts';

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
    const api = await fakeApi(() => ({ body: ME }));
    expect((await plat(['me'], { env: envFor(api, 'plat_live_0123456789') })).code).toBe(0);
  });
});

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

describe('an error', () => {
  const invalid = refusal(400, 'INVALID_BODY', { errors: [{ path: 'name', message: 'must not be empty' }] });

  it('is printed on stderr with code, fields, request id and next step', async () => {
    const api = await fakeApi(() => invalid);
    const { code, stdout, stderr } = await plat(['clients', 'create', '--name', ' '], { env: envFor(api) });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe(
      `error: The service says INVALID_BODY (INVALID_BODY, HTTP 400)\n  name: must not be empty\n` +
        `request id: ${REQUEST_ID}\nnext: See plat clients create --help.\n`,
    );
  });

  it('is one line of JSON with --json', async () => {
    const api = await fakeApi(() => invalid);
    const { stdout, stderr } = await plat(['clients', 'create', '--name', ' ', '--json'], { env: envFor(api) });
    expect(stdout).toBe('');
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'INVALID_BODY',
        message: 'The service says INVALID_BODY',
        status: 400,
        request_id: REQUEST_ID,
        errors: [{ path: 'name', message: 'must not be empty' }],
        next: 'See plat clients create --help.',
      },
      exit_code: 3,
    });
  });

  it.each([
    ['an unknown command', ['clints'], /unknown command 'clints'.*Did you mean clients/s],
    ['an unknown option', ['clients', 'list', '--lmit', '5'], /unknown option '--lmit'.*Did you mean --limit/s],
    ['a missing option', ['clients', 'create'], /--name <name>.*See plat clients create --help/s],
    ['a missing argument', ['clients', 'get'], /client_id/],
    ['one argument too many', ['clients', 'get', 'a', 'b'], /too many arguments/],
    ['an unknown value', ['clients', 'list', '--status', 'gone'], /active, inactive/],
    ['an invalid number', ['clients', 'list', '--limit', 'ten'], /whole number, not "ten"/],
    ['a family without a verb', ['webhooks', 'endpoints'], /rotate-secret.*plat webhooks endpoints needs a command/s],
  ])('of usage is %s', async (_, args, message) => {
    const text = await plat(args);
    expect([text.code, text.stdout]).toEqual([2, '']);
    expect(text.stderr).toMatch(message);
    const json = await plat([...args, '--json']);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'USAGE', status: null }, exit_code: 2 });
  });

  it('refuses a key on the command line without repeating it', async () => {
    for (const args of [
      ['me', '--api-key', KEY],
      [`--api-key=${KEY}`, 'me'],
      ['clients', 'get', KEY, KEY],
    ]) {
      for (const mode of [[], ['--json']]) {
        const { code, stderr } = await plat([...args, ...mode]);
        expect(code).toBe(2);
        expect(stderr).not.toContain(KEY);
      }
    }
  });

  it('names the source of a key that the service does not know', async () => {
    const api = await fakeApi(() => refusal(401, 'INVALID_TOKEN'));
    const { code, stderr } = await plat(['me'], { env: envFor(api) });
    expect(code).toBe(4);
    expect(stderr).toMatch(/does not accept the key from PLAT_API_KEY/);
    expect(stderr).not.toContain(KEY);
  });

  it('points to the list when an object is not found', async () => {
    const api = await fakeApi(() => refusal(404, 'WEBHOOK_ENDPOINT_NOT_FOUND'));
    const { code, stderr } = await plat(['webhooks', 'endpoints', 'get', 'whe_1'], { env: envFor(api) });
    expect(code).toBe(5);
    expect(stderr).toContain('plat webhooks endpoints list');
  });

  it('reports a response that is not from the API, when the base URL is wrong', async () => {
    const api = await fakeApi(() => ({ body: '<html>hello</html>' }));
    const { code, stderr } = await plat(['me'], { env: envFor(api) });
    expect(code).toBe(8);
    expect(stderr).toMatch(/Check the base URL.*PLAT_BASE_URL/);
  });

  it('is a usage error for an invalid base URL', async () => {
    const { code, stderr } = await plat(['me'], { env: envFor({ baseUrl: 'localhost:4010' }) });
    expect(code).toBe(2);
    expect(stderr).toContain('must begin with https:// or http://');
  });

  it('shows no control characters of the service', async () => {
    const api = await fakeApi(() => ({ status: 404, body: { code: 'NOT_FOUND', message: '\u001b[2J gone' } }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect((await plat(['me'], { env: envFor(api) })).stderr).not.toMatch(/\u001b/);
  });
});

describe('help', () => {
  it.each([
    [['clients', 'create', '--help']],
    [['help', 'clients', 'create']],
    [['clients', 'create', '-h', '--json']],
  ])('is a result: %j', async (args) => {
    const { code, stdout, stderr } = await plat(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: plat clients create .*--slug.*Global Options.*--json.*Scope: clients:write/s);
  });
});
