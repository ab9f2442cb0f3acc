import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES, type EventType, OPERATIONS, type OperationName } from '@plat/contract';
import { describe, expect, it } from 'vitest';
import { type Answer, fakeApi, type Received, refusal } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';
import { CAUSES } from './causes.ts';

const id = (prefix: string, n = 1) => `${prefix}_${String(n).padStart(26, '0')}`;
const list = (data: readonly object[]): Answer => ({
  body: { object: 'list', data, has_more: false, url: '/v1/x' },
});

/** Starts an API that accepts every change, and lists these events and deliveries. */
function obliging(events: () => readonly object[] = () => [], deliveries: () => readonly object[] = () => []) {
  let serial = 0;
  return ({ method, path, body }: Received): Answer => {
    if (path === '/v1/webhooks/events') return list(events());
    if (path === '/v1/webhooks/deliveries') return list(deliveries());
    const [, , , owner, kind, last] = path.split('/');
    const given = typeof body === 'object' ? body : {};
    if (kind === 'members') return { body: { object: 'group_member', group_id: owner, client_id: last, ...given } };
    if (kind === 'owners')
      return { body: { object: 'group_owner', group_id: owner, user_id: last ?? id('usr', 9), ...given } };
    const made = { object: 'thing', role: 'viewer', name: 'Known', email: 'known@example.com', ...given };
    if (method === 'DELETE') return { body: { object: 'thing', id: last ?? owner, deleted: true } };
    serial += 1;
    const target = kind === 'locations' ? last : owner;
    return { body: { ...made, id: target ?? id('new', serial) } };
  };
}

const ALL_TYPES = [...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES];
const causable = ALL_EVENT_TYPES.filter((type) => 'run' in CAUSES[type]);
const beyond = ALL_EVENT_TYPES.filter((type) => !causable.includes(type));

/** Returns the changes that the command printed. */
const changesOf = (stdout: string): { operation: OperationName; id?: string }[] => JSON.parse(stdout).did;

describe('the table of causes', () => {
  it('has the cause of each event type of tenants and apps', () => {
    expect(Object.keys(CAUSES)).toEqual(ALL_TYPES);
    expect(beyond).toEqual([
      'user.activated',
      'tenant.suspended',
      'tenant.reactivated',
      'oauth.app_authorized',
      'oauth.app_revoked',
    ]);
  });

  it.each(causable)('ends in an operation that emits %s', async (type) => {
    const api = await fakeApi(obliging());
    const args = type === 'user.deactivated' ? ['--id', id('usr'), '--yes'] : [];
    const { code, stdout, stderr } = await plat(['trigger', type, '--json', ...args], { env: envFor(api) });
    expect([code, stderr]).toEqual([0, '']);
    const did = changesOf(stdout);
    const last: OperationName | undefined = did.at(-1)?.operation;
    const emits: readonly EventType[] = last ? OPERATIONS[last].emits : [];
    expect(emits).toContain(type);
    // The request that was sent, and its printed form.
    expect(api.received).toHaveLength(did.length);
    expect(api.received.at(-1)?.method).toBe(last && OPERATIONS[last].method);
  });

  it.each(causable.filter((type) => type !== 'user.deactivated'))(
    'names what it makes for %s as a sample',
    async (type) => {
      const api = await fakeApi(obliging());
      await plat(['trigger', type], { env: envFor(api) });
      const names = api.received
        .filter(({ method, path }) => method === 'POST' && /^\/v1\/(clients|groups|users)$/.test(path))
        .map(({ body }) => Reflect.get(Object(body), 'name'));
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(name).toMatch(/^Sample of plat trigger/);
    },
  );

  it.each([...beyond, ...ALL_APP_EVENT_TYPES])('has a next step for %s, which no key can cause', async (type) => {
    const api = await fakeApi(obliging());
    const { code, stdout, stderr } = await plat(['trigger', type], { env: envFor(api) });
    expect([code, stdout, api.received]).toEqual([3, '', []]);
    expect(stderr).toMatch(/EVENT_NOT_CAUSABLE.*hint:.*--raw --to.*next: \w/s);
  });

  it('is shown by --list', async () => {
    const text = await plat(['trigger', '--list']);
    for (const type of ALL_TYPES) expect(text.stdout).toContain(`\n${type} `);
    const json = await plat(['trigger', '--list', '--json']);
    expect(JSON.parse(json.stdout).map(({ type }: { type: string }) => type)).toEqual(ALL_TYPES);
  });
});

describe('plat trigger', () => {
  it('prints its changes, as text and as JSON', async () => {
    const api = await fakeApi(obliging());
    const { stdout } = await plat(['trigger', 'client.created'], { env: envFor(api) });
    expect(stdout).toMatch(/^type +client\.created$/m);
    expect(stdout).toMatch(/^did\.0\.operation +clients\.create$/m);
    expect(stdout).toMatch(/^did\.0\.id +new_0+1$/m);
    const json = await plat(['trigger', 'group.member_added', '--json'], { env: envFor(api) });
    expect(JSON.parse(json.stdout)).toEqual({
      object: 'trigger',
      type: 'group.member_added',
      did: [
        expect.objectContaining({ operation: 'groups.create', id: id('new', 2) }),
        expect.objectContaining({ operation: 'clients.create', id: id('new', 3) }),
        { operation: 'groups.members.add', object: 'group_member', group_id: id('new', 2), client_id: id('new', 3) },
      ],
    });
  });

  it('acts on the object of --id, with the fields of --data', async () => {
    const api = await fakeApi(obliging());
    const run = (...args: string[]) => plat(['trigger', ...args], { env: envFor(api) });
    const { stdout } = await run('client.updated', '--id', id('cli'), '--json');
    expect(changesOf(stdout)).toMatchObject([{ operation: 'clients.update', id: id('cli') }]);
    await run('client.updated', '--id', id('cli'), '--data', '{"status":"inactive"}');
    await run('location.created', '--id', id('cli'), '--data', '{"country":"FR"}');
    await run('group.owner_invited', '--id', id('grp'), '--data', '{"email":"ada@example.com"}');
    await run('user.role_changed', '--id', id('usr'));
    const at = `/v1/clients/${id('cli')}`;
    expect(api.received).toMatchObject([
      { method: 'GET', path: at },
      { method: 'PATCH', path: at, body: { name: 'Known' } },
      { method: 'GET', path: at },
      { method: 'PATCH', path: at, body: { name: 'Known', status: 'inactive' } },
      { method: 'POST', path: `${at}/locations`, body: { country: 'FR' } },
      { method: 'POST', path: `/v1/groups/${id('grp')}/owners`, body: { email: 'ada@example.com' } },
      { method: 'GET', path: `/v1/users/${id('usr')}` },
      { method: 'PATCH', path: `/v1/users/${id('usr')}`, body: { role: 'member' } },
    ]);
  });

  it('assigns a role that the user does not have', async () => {
    const api = await fakeApi((request) => ({ body: { ...Object(obliging()(request).body), role: 'member' } }));
    await plat(['trigger', 'user.role_changed', '--id', id('usr')], { env: envFor(api) });
    expect(api.received.at(-1)?.body).toEqual({ role: 'viewer' });
  });

  it('asks before it deactivates a user', async () => {
    const api = await fakeApi(obliging());
    const args = ['trigger', 'user.deactivated', '--id', id('usr')];
    expect((await plat(args, { env: envFor(api) })).code).toBe(10);
    expect(api.received).toEqual([]);
    expect((await plat([...args, '--yes'], { env: envFor(api) })).code).toBe(0);
    expect(api.received).toHaveLength(1);
  });

  it('changes nothing with a production key, unless --live is given', async () => {
    const api = await fakeApi(obliging());
    const env = envFor(api, 'plat_live_0123456789abcdef');
    expect((await plat(['trigger', 'client.created', '--wait'], { env })).code).toBe(10);
    expect(api.received).toEqual([]);
    expect((await plat(['trigger', 'client.created', '--live'], { env })).code).toBe(0);
  });

  it('removes the created objects with --cleanup, newest first, each once', async () => {
    const api = await fakeApi(obliging());
    const { stdout } = await plat(['trigger', 'group.owner_removed', '--cleanup', '--json'], { env: envFor(api) });
    expect(changesOf(stdout).map(({ operation }) => operation)).toEqual([
      ...['groups.create', 'users.create', 'groups.owners.invite', 'groups.owners.remove'],
      ...['users.delete', 'groups.delete'],
    ]);
    const deleted = await plat(['trigger', 'client.deleted', '--cleanup', '--json'], { env: envFor(api) });
    expect(changesOf(deleted.stdout).map(({ operation }) => operation)).toEqual(['clients.create', 'clients.delete']);
  });

  it('does not remove the object of --id', async () => {
    const api = await fakeApi(obliging());
    await plat(['trigger', 'group.member_added', '--id', id('grp'), '--cleanup'], { env: envFor(api) });
    const removed = api.received.filter(({ method }) => method === 'DELETE');
    expect(removed.map(({ path }) => path)).toEqual([`/v1/clients/${id('new', 1)}`]);
  });

  it('reports the changes made before a failure, and cleans up with --cleanup', async () => {
    const answer = obliging();
    const api = await fakeApi((request) =>
      request.path.endsWith('/locations') ? refusal(403, 'INSUFFICIENT_SCOPE') : answer(request),
    );
    const kept = await plat(['trigger', 'location.created', '--json'], { env: envFor(api) });
    expect([kept.code, changesOf(kept.stdout).map(({ operation }) => operation)]).toEqual([3, ['clients.create']]);
    expect(JSON.parse(kept.stderr).error.code).toBe('INSUFFICIENT_SCOPE');
    const cleaned = await plat(['trigger', 'location.created', '--cleanup', '--json'], { env: envFor(api) });
    expect(changesOf(cleaned.stdout).map(({ operation }) => operation)).toEqual(['clients.create', 'clients.delete']);
    expect(JSON.parse(cleaned.stderr).error.code).toBe('INSUFFICIENT_SCOPE');
  });

  it.each([
    ['no type', [], /Pass an event type/],
    ['an unknown type', ['client.made'], /client.made is not an event type/],
    ['a misspelt type of an app', ['installation.revokd'], /Did you mean installation.revoked\?/],
    ['--id where a sample is all there is', ['client.created', '--id', 'cli_1'], /does not accept --id/],
    ['no --id where one is needed', ['user.deactivated', '--yes'], /needs --id <user_id>/],
    ['--data that goes nowhere', ['client.deleted', '--data', '{}'], /does not accept --data/],
    ['--data that is no object', ['client.created', '--data', '[]'], /JSON object/],
    ['--to without --raw', ['client.created', '--to', 'http://127.0.0.1:1'], /--to needs --raw/],
    ['a secret without --raw', ['client.created', '--secret-file', 'x'], /--secret-file needs --raw/],
    ['--raw without --to', ['client.created', '--raw'], /--raw needs --to/],
    ['--raw with --wait', ['client.created', '--raw', '--wait'], /--wait cannot be used with --raw/],
    ['--raw with --id', ['client.created', '--raw', '--id', 'cli_1'], /--id cannot be used with --raw/],
    ['a time-out that is no number', ['client.created', '--timeout', 'long'], /whole number/],
  ])('refuses %s', async (_, args, message) => {
    const api = await fakeApi(obliging());
    const { code, stdout, stderr } = await plat(['trigger', ...args], { env: envFor(api) });
    expect([code, stdout, api.received]).toEqual([2, '', []]);
    expect(stderr).toMatch(message);
  });
});

describe('plat trigger --wait', () => {
  const event = (n: number, data: object) => ({ object: 'event', id: id('evt', n), type: 'client.created', data });
  const delivery = (n: number, status: string, more: object = {}) => ({
    ...{ object: 'webhook_delivery', id: id('del', n), event_id: id('evt', 5), endpoint_id: id('whe', n), attempt: 1 },
    ...{ status, response_status: null, response_body: null, error: null, ...more },
  });
  /** The events before and after the change. */
  const before = [event(4, { id: id('new', 1), name: 'One of another time' })];
  const after = [event(6, { id: 'another user' }), event(5, { id: id('new', 1) }), ...before];

  /** Runs a trigger against successive states of events and deliveries. */
  async function triggered(
    events: readonly (readonly object[])[],
    deliveries: readonly (readonly object[])[],
    ...args: string[]
  ) {
    const rest = { events: [...events], deliveries: [...deliveries] };
    const next = (queue: (readonly object[])[]) => (queue.length > 1 ? queue.shift() : queue[0]) ?? [];
    const api = await fakeApi(
      obliging(
        () => next(rest.events),
        () => next(rest.deliveries),
      ),
    );
    let waited = 0;
    const wait = async (ms: number) => {
      waited += ms;
    };
    const ended = await plat(['trigger', 'client.created', '--wait', '--json', ...args], { env: envFor(api), wait });
    return { ...ended, result: JSON.parse(ended.stdout), waited, api };
  }

  it('shows the response of each endpoint to the event', async () => {
    const answers = [
      delivery(1, 'succeeded', { response_status: 204 }),
      delivery(2, 'succeeded', { response_status: 200, response_body: 'ok' }),
    ];
    const pending = [delivery(1, 'pending'), answers[1] ?? {}];
    const { code, stderr, result, waited, api } = await triggered([before, before, after], [pending, answers]);
    expect([code, stderr]).toEqual([0, '']);
    expect(result).toMatchObject({ type: 'client.created', event: { id: id('evt', 5) }, deliveries: answers });
    expect(waited).toBe(300);
    const asked = api.received.filter(({ path }) => path.startsWith('/v1/webhooks'));
    expect(asked.map(({ query }) => query)).toEqual([
      ...Array(3).fill({ type: 'client.created', limit: '100' }),
      ...Array(2).fill({ event_id: id('evt', 5), limit: '100' }),
    ]);
  });

  it.each([
    ['retrying', { response_status: 500, response_body: 'broken' }, 'answered 500'],
    ['failed', { error: 'endpoint_disabled: the endpoint was disabled' }, 'endpoint_disabled'],
  ])('ends with 11 when a first attempt is %s', async (status, more, words) => {
    // A successful second attempt does not count.
    const second = { ...delivery(3, 'succeeded'), endpoint_id: id('whe', 2), attempt: 2 };
    const deliveries = [second, delivery(1, 'succeeded'), delivery(2, status, more)];
    const { code, stderr, result } = await triggered([before, after], [deliveries]);
    expect(code).toBe(11);
    expect(result.deliveries).toMatchObject([{ status: 'succeeded' }, { status, ...more }]);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: 'NOT_ACCEPTED', message: expect.stringContaining('1 of 2 did not accept it') });
    expect(error.message).toContain(words);
  });

  it('reports that no endpoint subscribes to the type', async () => {
    const { code, stderr, waited } = await triggered([before, after], [[]]);
    expect([code, JSON.parse(stderr).error.code, waited]).toEqual([11, 'NO_ENDPOINT', 0]);
  });

  it('times out, and shows the command to check', async () => {
    const { code, stderr, result, waited } = await triggered(
      [before, after],
      [[delivery(1, 'pending')]],
      '--timeout',
      '3',
    );
    const { error } = JSON.parse(stderr);
    expect([code, error.code, error.message]).toEqual([11, 'NOT_IN_TIME', '1 of 1 were not attempted within 3 s']);
    expect(error.next).toContain(id('evt', 5));
    expect(result.deliveries).toHaveLength(1);
    expect(waited).toBeGreaterThanOrEqual(3000);
    expect(waited).toBeLessThan(5000);
    const lost = await triggered([before], [[]], '--timeout', '1');
    expect([lost.code, lost.result.event, JSON.parse(lost.stderr).error.code]).toEqual([11, null, 'NOT_IN_TIME']);
  });

  it('checks its scope before it changes anything', async () => {
    const answer = obliging();
    const api = await fakeApi((request) =>
      request.path.startsWith('/v1/webhooks') ? refusal(403, 'INSUFFICIENT_SCOPE') : answer(request),
    );
    expect((await plat(['trigger', 'client.created', '--wait'], { env: envFor(api) })).code).toBe(3);
    expect(api.received.map(({ path }) => path)).toEqual(['/v1/webhooks/events']);
  });

  it('cleans up after the deliveries, and also when they failed', async () => {
    const { code, result, api } = await triggered([before, after], [[delivery(1, 'retrying')]], '--cleanup');
    expect(code).toBe(11);
    expect(api.received.at(-1)).toMatchObject({ method: 'DELETE', path: `/v1/clients/${id('new', 1)}` });
    expect(result.did.map(({ operation }: { operation: string }) => operation)).toEqual([
      'clients.create',
      'clients.delete',
    ]);
  });
});
