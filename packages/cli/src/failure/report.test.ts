import { describe, expect, it } from 'vitest';
import { fakeApi, REQUEST_ID, refusal } from '../testing/fake-api.ts';
import { envFor, KEY, plat } from '../testing/plat.ts';

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

  it('names a single field once, in the message of the service', async () => {
    const errors = [{ path: 'name', message: 'must not be empty' }];
    const api = await fakeApi(() =>
      refusal(400, 'INVALID_BODY', { message: 'Not valid: name must not be empty', errors }),
    );
    const { stderr } = await plat(['clients', 'create', '--name', ' '], { env: envFor(api) });
    expect(stderr).toMatch(/^error: Not valid: name must not be empty \(INVALID_BODY, HTTP 400\)\nrequest id: /);
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

  it('names the likely cause when the server does not speak TLS', async () => {
    const { baseUrl } = await fakeApi(() => ({ body: {} }));
    const { code, stderr } = await plat(['me'], { env: envFor({ baseUrl: baseUrl.replace('http:', 'https:') }) });
    expect([code, stderr]).toEqual([9, expect.stringContaining('hint: The answer is not TLS: the port serves http')]);
    expect(stderr).toContain('next: Check the address (from PLAT_BASE_URL).\n');
  });

  it.each([
    [['clients', 'list', '--status', 'actve'], 'active'],
    [['webhooks', 'deliveries', 'list', '--status', 'faild'], 'failed'],
    [['me', '--output', 'JSON'], 'json'],
    [['completion', 'bsh'], 'bash'],
  ])('suggests the nearest value: %j', async (args, meant) => {
    expect((await plat(args)).stderr).toContain(`hint: Did you mean ${meant}?\n`);
  });

  it.each([
    [['deliveries', 'list'], /^hint: Did you mean plat webhooks deliveries, plat apps webhooks deliveries\?$/m],
    [['clients', 'create', '--nam', 'x'], /^hint: --nam is not an option\. Did you mean --name\?$/m],
    [['clients', 'create', '--nam=--live'], /^hint: --nam is not an option\. Did you mean --name\?$/m],
  ])('names what the parser does not see: %j', async (args, hint) => {
    expect((await plat(args)).stderr).toMatch(hint);
  });

  it.each([
    ['clients', 'create'],
    ['clients', 'list', '--zzz'],
    ['clients', 'list', '--status', 'zzz'],
  ])('has no hint where nothing is near: %s %s', async (...args) => {
    expect(JSON.parse((await plat([...args, '--json'])).stderr).error).not.toHaveProperty('hint');
  });

  it.each([
    ['webhooks', 'endpoints', 'rotate-secret', 'whe_1', '--expires-in', '1h'],
    ['webhooks', 'verify', '--tolerance', '5m'],
  ])('names the unit of a number: %s %s %s', async (...args) => {
    expect((await plat(args)).stderr).toMatch(/ takes a whole number of seconds, not "(1h|5m)"/);
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
