import { describe, expect, it } from 'vitest';
import { type Answer, fakeApi, refusal } from './testing/fake-api.ts';
import { envFor, plat } from './testing/plat.ts';

const AT = '2026-01-02T03:04:05.678Z';
const id = (prefix: string, n = 1) => `${prefix}_${String(n).padStart(26, '0')}`;
const page = (data: readonly object[], has_more = false): Answer => ({
  body: { object: 'list', data, has_more, url: '/v1/x' },
});
const stamped = { created_at: AT, updated_at: AT };

/** Returns the body that a command sends. */
async function bodyOf(...args: readonly string[]): Promise<unknown> {
  const api = await fakeApi(() => ({ body: {} }));
  const { code, stderr } = await plat(args, { env: envFor(api) });
  expect([code, stderr]).toEqual([0, '']);
  return api.received[0]?.body;
}

describe('a flag', () => {
  it.each([
    [['--default'], true],
    [['--no-default'], false],
    [[], undefined],
  ])('%j is sent as %j', async (flag, value) => {
    const body = await bodyOf('clients', 'locations', 'update', id('cli'), id('loc'), '--name', 'HQ', ...flag);
    expect(body).toEqual({ name: 'HQ', ...(value !== undefined && { default: value }) });
  });

  it('is a change on its own', async () => {
    expect(await bodyOf('groups', 'locations', 'update', id('grp'), id('loc'), '--default')).toEqual({ default: true });
  });

  it('takes no value', async () => {
    const args = ['groups', 'locations', 'update', id('grp'), id('loc'), '--default=yes'];
    expect((await plat(args)).code).toBe(2);
  });
});

describe('a field', () => {
  it('is unset by null, and a list is emptied by an empty value', async () => {
    const user = ['users', 'update', id('usr'), '--no-client-id', '--no-location-id', '--no-name'];
    expect(await bodyOf(...user)).toEqual({ name: null, client_id: null, location_id: null });
    const role = ['roles', 'update', id('rol'), '--no-description', '--capabilities', ''];
    expect(await bodyOf(...role)).toEqual({ description: null, capabilities: [] });
  });

  it.each([
    ['--no-domain', '--domain', 'clients', 'update', id('cli'), '--domain', 'example.com', '--no-domain'],
    ['--no-domain', '--domain', 'clients', 'update', id('cli'), '--no-domain', '--domain', 'example.com'],
    ['--no-default', '--default', 'clients', 'locations', 'update', id('cli'), id('loc'), '--default', '--no-default'],
  ])('is not unset by %s together with %s, in either order (%#)', async (unset, set, ...args) => {
    const api = await fakeApi(() => ({ body: {} }));
    const { code, stderr } = await plat(args, { env: envFor(api) });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${set} and ${unset} exclude each other`)]);
    expect(api.received).toEqual([]);
  });

  it('of a new object has nothing to unset', async () => {
    expect((await plat(['users', 'create', '--help'])).stdout).not.toContain('--no-');
    expect((await plat(['users', 'update', '--help'])).stdout).toContain('--no-client-id');
  });

  it('that is required is named as required', async () => {
    const { stdout } = await plat(['users', 'create', '--help'], { columns: 120 });
    expect(stdout).toMatch(/--role <name> .*\(required\)\n/);
    expect(stdout).not.toMatch(/--client-id <id> .*\(required\)\n/);
  });

  it('can be a number, a list or one of the accepted values', async () => {
    expect(await bodyOf('settings', 'update', '--launch-token-ttl-seconds', '600')).toEqual({
      launch_token_ttl_seconds: 600,
    });
    const role = ['roles', 'create', '--name', 'clerk', '--title', 'Clerk', '--capabilities', 'a.b,c.d'];
    expect(await bodyOf(...role)).toEqual({ name: 'clerk', title: 'Clerk', capabilities: ['a.b', 'c.d'] });
    const { code, stderr } = await plat(['groups', 'create', '--name', 'A', '--membership-policy', 'secret']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('open, invite_only, closed')]);
  });
});

describe('a list whose items have no id', () => {
  it.each([
    ['members', 'client_id', 'cli', { object: 'group_member' }],
    ['owners', 'user_id', 'usr', { object: 'group_owner', email: 'a@b.example', status: 'invited' }],
  ])('of %s continues by the %s, in both directions', async (family, field, prefix, more) => {
    const data = [2, 1].map((n) => ({ ...more, group_id: id('grp'), [field]: id(prefix, n), ...stamped }));
    const api = await fakeApi(() => page(data, true));
    const args = ['groups', family, 'list', id('grp')];
    const on = await plat(args, { env: envFor(api) });
    expect(on.stdout.split('\n')[0]).toMatch(new RegExp(`^${field.toUpperCase()} `));
    expect(on.stderr).toMatch(new RegExp(`^There are more .*: plat .* --starting-after ${id(prefix, 1)}\n$`));
    const back = await plat([...args, '--ending-before', id(prefix, 0)], { env: envFor(api) });
    expect(back.stderr).toMatch(new RegExp(`^There are more .*: plat .* --ending-before ${id(prefix, 2)}\n$`));
    expect(back.stderr.match(/--ending-before/g)).toHaveLength(1);
  });

  it('is printed completely with --all', async () => {
    const member = (n: number) => ({
      object: 'group_member',
      group_id: id('grp'),
      client_id: id('cli', n),
      ...stamped,
    });
    const api = await fakeApi(({ query }) =>
      query['starting_after'] === undefined ? page([member(3), member(2)], true) : page([member(1)]),
    );
    const args = ['groups', 'members', 'list', id('grp'), '--all', '--json'];
    const { stdout } = await plat(args, { env: envFor(api) });
    expect(JSON.parse(stdout).data).toEqual([member(3), member(2), member(1)]);
    expect(api.received[1]?.query['starting_after']).toBe(id('cli', 2));
  });

  it('shows the cursor to continue with after an error', async () => {
    const member = { object: 'group_member', group_id: id('grp'), client_id: id('cli', 7), ...stamped };
    const api = await fakeApi(({ query }) =>
      query['starting_after'] === undefined ? page([member], true) : refusal(403, 'INSUFFICIENT_SCOPE'),
    );
    const { stderr } = await plat(['groups', 'members', 'list', id('grp'), '--all'], { env: envFor(api) });
    expect(stderr).toContain(`Continue with --starting-after ${id('cli', 7)}`);
  });
});

describe('a nested field', () => {
  const event = {
    object: 'audit_event',
    id: id('aud'),
    actor: { type: 'api_key', id: id('key') },
    action: 'client.updated',
    target: { type: 'client', id: id('cli') },
    changes: { name: { before: 'A', after: 'B' } },
    request_id: id('req'),
    ip: null,
    created_at: AT,
  };

  it('has a column of a table by its path', async () => {
    const system = { ...event, actor: { type: 'system', id: null } };
    const api = await fakeApi(() => page([event, system]));
    const { stdout } = await plat(['audit', 'events', 'list'], { env: envFor(api) });
    const [heading, first, second] = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(heading).toEqual(['ID', 'ACTION', 'ACTOR.TYPE', 'ACTOR.ID', 'TARGET.ID', 'CREATED_AT']);
    expect(first).toEqual([id('aud'), 'client.updated', 'api_key', id('key'), id('cli'), AT]);
    expect(second?.slice(2, 4)).toEqual(['system', '-']);
  });

  it('keeps its ids whole on a terminal', async () => {
    const api = await fakeApi(() => page([event]));
    const env = { ...envFor(api), NO_COLOR: '1' };
    const narrow = await plat(['audit', 'events', 'list'], { env, columns: 80 });
    for (const whole of [id('aud'), id('key')]) expect(narrow.stdout).toContain(whole);
    expect(narrow.stderr).toContain('Not shown: ');
    const wide = await plat(['audit', 'events', 'list'], { env, columns: 130 });
    for (const whole of [id('aud'), id('key'), id('cli')]) expect(wide.stdout).toContain(whole);
  });

  it('has lines of an object by its path', async () => {
    const api = await fakeApi(() => ({ body: event }));
    const { stdout } = await plat(['audit', 'events', 'get', id('aud')], { env: envFor(api) });
    expect(stdout).toMatch(/^actor\.type +api_key$/m);
    expect(stdout).toMatch(/^changes\.name\.after +B$/m);
    const invoice = { object: 'invoice', lines: [{ description: 'Plan', quantity: 1, amount: 4900 }] };
    const bill = await fakeApi(() => ({ body: invoice }));
    const shown = await plat(['billing', 'invoices', 'get', id('inv')], { env: envFor(bill) });
    expect(shown.stdout).toMatch(/^lines\.0\.description +Plan\nlines\.0\.quantity +1\nlines\.0\.amount +4900$/m);
  });
});

describe('a replay', () => {
  const delivery = {
    object: 'webhook_delivery',
    id: id('del'),
    event_type: 'client.created',
    endpoint_id: id('whe'),
    attempt: 1,
    status: 'pending',
    response_status: null,
    scheduled_at: AT,
  };
  const args = ['webhooks', 'events', 'replay', id('evt')];

  it('is a table of the new deliveries, and the JSON of the API with --json', async () => {
    const answer = { status: 202, body: page([delivery]).body };
    const api = await fakeApi(() => answer);
    const text = await plat([...args, '--endpoint-id', id('whe')], { env: envFor(api) });
    expect(text.stdout).toMatch(/^ID +EVENT_TYPE +ENDPOINT_ID +ATTEMPT +STATUS/);
    expect(text.stdout.split('\n')).toHaveLength(3);
    expect(api.received[0]?.body).toEqual({ endpoint_id: id('whe') });
    const json = await plat([...args, '--json', '--idempotency-key', 'r1'], { env: envFor(api) });
    expect(JSON.parse(json.stdout)).toEqual(answer.body);
    expect(api.received[1]).toMatchObject({ body: {}, headers: { 'idempotency-key': 'r1' } });
  });

  it('without a subscribed endpoint reports it', async () => {
    const api = await fakeApi(() => ({ ...page([]), status: 202 }));
    expect(await plat(args, { env: envFor(api) })).toEqual({ code: 0, stdout: '', stderr: 'None found.\n' });
  });
});

describe('the deactivation of a user', () => {
  const args = ['users', 'deactivate', id('usr')];

  it('cannot be undone, so it is confirmed like a deletion', async () => {
    const api = await fakeApi(() => ({ body: { object: 'user', id: id('usr'), status: 'suspended' } }));
    const refused = await plat(args, { env: envFor(api), stdin: 'y\n' });
    expect([refused.code, api.received.length]).toEqual([10, 0]);
    expect((await plat(args, { env: envFor(api), stdin: 'n\n', columns: 80 })).code).toBe(10);
    expect((await plat(args, { env: envFor(api), stdin: 'y\n', columns: 80 })).code).toBe(0);
    expect((await plat([...args, '--yes', '--idempotency-key', 'k'], { env: envFor(api) })).code).toBe(0);
    const posts = api.received.filter(({ method }) => method === 'POST');
    expect(posts).toMatchObject([{ body: undefined }, { body: undefined, headers: { 'idempotency-key': 'k' } }]);
  });

  it('asks for confirmation, but resending an invitation does not', async () => {
    expect((await plat(['users', 'invite', '--help'])).stdout).not.toContain('--yes');
    expect((await plat([...args.slice(0, 2), '--help'])).stdout).toContain('--yes');
  });
});

describe('a refusal of a family', () => {
  it.each([
    [['clients', 'locations', 'get', id('cli'), id('loc')], 404, 'CLIENT_NOT_FOUND', 5, 'plat clients list'],
    [['groups', 'members', 'get', id('grp'), id('cli')], 404, 'GROUP_MEMBER_NOT_FOUND', 5, 'plat groups members list'],
    [['users', 'update', id('usr'), '--role', 'viewer'], 422, 'LAST_OWNER_PROTECTED', 3, '--role owner'],
    [['users', 'delete', id('usr'), '--yes'], 422, 'USER_NOT_DELETABLE', 3, 'plat users deactivate'],
    [['users', 'invite', id('usr')], 422, 'USER_NOT_INVITED', 3, 'plat users get'],
    [['groups', 'owners', 'invite', id('grp'), '--email', 'a@b.example'], 409, 'ALREADY_OWNER', 6, 'owners list'],
    [['roles', 'create', '--name', 'a', '--title', 'A'], 409, 'ROLE_NAME_IN_USE', 6, 'roles list'],
  ])('%j: shows the next step', async (args, status, code, exitCode, next) => {
    const api = await fakeApi(() => refusal(status, code));
    const ended = await plat(args, { env: envFor(api) });
    expect(ended).toMatchObject({ code: exitCode, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`${code}.*next:.*${next}`, 's'));
  });
});

describe('an endpoint that is enabled again', () => {
  const enable = async (missed_since: string | null, ...args: readonly string[]) => {
    const api = await fakeApi(() => ({ body: { object: 'webhook_endpoint', id: id('whe'), missed_since } }));
    return plat(['webhooks', 'endpoints', 'update', id('whe'), ...args], { env: envFor(api) });
  };

  it('shows how to send the missed events', async () => {
    const { code, stderr } = await enable(AT, '--status', 'enabled');
    expect(code).toBe(0);
    expect(stderr).toContain(
      `plat webhooks replays create --endpoint-id ${id('whe')} --since ${AT} --select undelivered\n`,
    );
  });

  it('prints nothing without missed events, after other changes, and in JSON mode', async () => {
    expect((await enable(null, '--status', 'enabled')).stderr).toBe('');
    expect((await enable(AT, '--description', 'mine')).stderr).toBe('');
    expect((await enable(AT, '--status', 'enabled', '--json')).stderr).toBe('');
  });
});
