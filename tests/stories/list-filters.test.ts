import { Platform } from '@plat/sdk';
import { newId, unitOfWork } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';

type Row = Readonly<Record<string, string | number | Buffer | null>>;

interface FilteredList {
  readonly path: string;
  readonly table: string;
  readonly kind: 'user' | 'audit_event' | 'webhook_delivery' | 'webhook_replay';
  /** Each filter with values that rows have in turn. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly columns: (id: string) => Row;
  /** True for a list with `created_after` and `created_before`. */
  readonly hasTimes?: true;
}

const KEY = newId('api_key');
const AT = Date.now() - 3_600_000;
const TIMES: Row = { created_at: AT, updated_at: AT };
const ids = (kind: Parameters<typeof newId>[0], count: number) => Array.from({ length: count }, () => newId(kind));
const [endpoints, clients, actors, targets] = [
  ids('webhook_endpoint', 3),
  ids('client', 3),
  ids('user', 3),
  ids('client', 5),
];

const LISTS: readonly FilteredList[] = [
  {
    path: '/v1/users',
    table: 'users',
    kind: 'user',
    filters: { status: ['active', 'suspended'], role: ['admin', 'member', 'viewer'], client_id: clients },
    columns: (id) => ({ ...TIMES, email: `${id}@example.com`, email_hash: Buffer.alloc(32, id) }),
  },
  {
    path: '/v1/audit/events',
    table: 'audit_events',
    kind: 'audit_event',
    filters: {
      ...{ action: ['client.created', 'client.updated'], actor_id: actors },
      ...{ target_id: targets, session_id: ids('session', 7) },
    },
    columns: () => ({ actor_type: 'user', target_type: 'client', created_at: AT }),
    hasTimes: true,
  },
  {
    path: '/v1/webhooks/deliveries',
    table: 'webhook_deliveries',
    kind: 'webhook_delivery',
    filters: { event_id: ids('event', 5), endpoint_id: endpoints, status: ['succeeded', 'failed'] },
    columns: () => ({ ...TIMES, event_type: 'client.updated', attempt: 1, scheduled_at: AT }),
    hasTimes: true,
  },
  {
    path: '/v1/webhooks/replays',
    table: 'webhook_replays',
    kind: 'webhook_replay',
    filters: { endpoint_id: endpoints, status: ['completed', 'canceled'] },
    columns: () => ({
      ...{ ...TIMES, selection: 'failed', since_at: AT, until_at: AT, examined_count: 0, scheduled_count: 0 },
      ...{ walks: '[]', turn: 0, completed_at: AT },
    }),
  },
];

/** A number of rows that is not a multiple of the numbers of values, so that every combination exists. */
const ROWS = 211;
/** Maximum number of rows that a page examines (docs/pagination.md). */
const EXAMINED = 500;
/** More than two such pages. */
const LOGGED = 2.5 * EXAMINED;

/** Methods of logged requests that are not GET: of one, and of the last row that a page examines, in each direction. */
const METHODS: Readonly<Record<number, string>> = {
  10: 'DELETE',
  [20 + EXAMINED]: 'PATCH',
  [LOGGED - EXAMINED]: 'PATCH',
};

const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_REQUEST_LOG: 'off' } });
const rows = new Map<FilteredList, readonly (Row & { readonly id: string })[]>();
let api: Api;
let apiKey: string;
let logged: readonly string[];

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  apiKey = tenant.apiKey;
  api = apiOf(story.server.baseUrl, apiKey);
  for (const list of LISTS) {
    const made = Array.from({ length: ROWS }, (_, n) => {
      const id = newId(list.kind, AT + n);
      const values = Object.entries(list.filters).map(([name, given]) => [name, given[n % given.length]]);
      return { tenant_id: tenant.tenantId, id, ...list.columns(id), ...Object.fromEntries(values) };
    });
    await insert(list.table, made);
    rows.set(list, made);
  }
  const requests = Array.from({ length: LOGGED }, (_, n) => ({
    ...{ tenant_id: tenant.tenantId, id: newId('request', AT + n), path: '/v1/clients', outcome: 'succeeded' },
    ...{ method: METHODS[n] ?? 'GET', credential_type: 'api_key', credential_id: KEY, created_at: AT },
    ...{ idempotent_replayed: 0, duration_us: 1, status: 200 },
  }));
  await insert('requests', requests);
  logged = requests.map(({ id }) => id);
});

async function insert(table: string, made: readonly Row[]): Promise<void> {
  const { db } = story.server;
  const queries = db.sequelize.getQueryInterface();
  await unitOfWork(db, (transaction) => queries.bulkInsert(table, [...made], { transaction }));
}

const CASES = LISTS.flatMap((list) =>
  subsets(Object.keys(list.filters)).map((names) => [list.path, names.join(' and '), list, names] as const),
);
/** Index of the first and the last row between the bounds of time. */
const [FIRST, LAST] = [10, 180];

test.each(CASES)(
  '%s by %s returns the rows of a plain filter, by a forced index in its order',
  async (_path, _names, list, names) => {
    const values = Object.fromEntries(names.map((name) => [name, list.filters[name]?.at(-1) ?? '']));
    const query = new URLSearchParams(values).toString();
    const expected = (rows.get(list) ?? [])
      .filter((row) => names.every((name) => row[name] === values[name]))
      .map(({ id }) => id)
      .toReversed();
    expect(expected.length).toBeGreaterThan(0);
    expect(await walk(`${list.path}?limit=50&${query}`, 'starting_after')).toEqual(expected);

    const times = { created_after: new Date(AT + FIRST - 1), created_before: new Date(AT + LAST + 1) };
    const bounds = Object.entries(times).map(([name, at]) => `${name}=${at.toISOString()}`);
    const queries = [query, ...(list.hasTimes ? [[query, ...bounds].join('&')] : [])];
    if (list.hasTimes) {
      const within = (rows.get(list) ?? []).slice(FIRST, LAST + 1).map(({ id }) => id);
      const found = expected.filter((id) => within.includes(id));
      expect(await walk(`${list.path}?limit=50&${queries[1]}`, 'starting_after')).toEqual(found);
    }

    const plans = await plansOf(story.server, () => Promise.all(queries.map((one) => api(`${list.path}?${one}`))));
    for (const [statement, plan] of plans.filter(([text]) => text.includes(`FROM ${list.table}`))) {
      const [, index = 'none'] = statement.match(/(?:FORCE INDEX \(|INDEXED BY )(\w+)/) ?? [];
      expect(plan, statement).toContain(index);
      expect(plan, statement).not.toMatch(BAD_PLAN);
    }
  },
);

test('a page that no index serves ends after 500 examined rows, with the cursor of the last one', async () => {
  const query = `/v1/requests?credential_id=${KEY}&method=DELETE`;
  const { body } = await api(query);
  expect(body).toMatchObject({ data: [], has_more: true, next_cursor: logged.at(-EXAMINED) });
  const { body: second } = await api(`${query}&starting_after=${body.next_cursor}`);
  expect(second).toMatchObject({ data: [], has_more: true, next_cursor: logged.at(-2 * EXAMINED) });
  const { body: last } = await api(`${query}&starting_after=${second.next_cursor}`);
  expect(last).toMatchObject({ data: [{ id: logged[10] }], has_more: false });
  expect(last).not.toHaveProperty('next_cursor');
});

test('it is followed backwards too, and a full page has no `next_cursor`', async () => {
  const query = `/v1/requests?credential_id=${KEY}&method=DELETE&ending_before=${logged[20]}`;
  const { body } = await api(query);
  expect(body).toMatchObject({ data: [], has_more: true, next_cursor: logged[20 + EXAMINED] });
  const { body: full } = await api(`/v1/requests?credential_id=${KEY}&method=GET&limit=5`);
  expect(full.data).toHaveLength(5);
  expect(full).not.toHaveProperty('next_cursor');
});

test('the last examined row is part of its page, in both directions', async () => {
  const query = `/v1/requests?credential_id=${KEY}&method=PATCH`;
  const [last, first] = [logged.at(-EXAMINED), logged[20 + EXAMINED]];
  const { body } = await api(query);
  expect(body).toMatchObject({ data: [{ id: last }], has_more: true, next_cursor: last });
  const { body: before } = await api(`${query}&ending_before=${logged[20]}`);
  expect(before).toMatchObject({ data: [{ id: first }], has_more: true, next_cursor: first });
});

test('the SDK follows pages without items', async () => {
  const platform = new Platform({ apiKey, baseUrl: story.server.baseUrl });
  const found = await platform.requests.list({ credential_id: KEY, method: 'DELETE' }).toArray();
  expect(found.map(({ id }) => id)).toEqual([logged[10]]);
  platform.close();
});

async function walk(path: string, parameter: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await api(path + cursor);
    expect(status).toBe(200);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) return found;
    cursor = `&${parameter}=${body.next_cursor ?? found.at(-1)}`;
  }
}

function subsets(names: readonly string[]): readonly (readonly string[])[] {
  const all = Array.from({ length: 2 ** names.length - 1 }, (_, n) => names.filter((_name, i) => ((n + 1) >> i) & 1));
  return all.filter(({ length }) => length > 0);
}
