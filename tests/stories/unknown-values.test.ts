import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVELOPER_OPERATIONS, type OperationInfo } from '@plat/contract';
import { ADMIN_PAGES, DEVELOPER_PAGES, execute, selectOne, type TestServer } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { openConsole } from '../support/console.ts';
import { pathOfPage } from '../support/console-pages.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { callOperation, createObjects, operations } from '../support/every-operation.ts';
import { postForm, refreshForm } from '../support/oauth.ts';
import { repository } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/*
 * During a rolling upgrade a newer process writes values that this version does not have. Every list, object and page is
 * still read: docs/upgrading.md has the rule. A new column whose type names its values is included automatically.
 */

// As in production, where responses are not compared with the values of their schemas.
const story = useServer({ env: { PLAT_DISPATCH: 'false' }, checkResponses: false });

const INVENTED = 'invented';

type Column = readonly [table: string, column: string];

/** Columns of values that their type does not name. */
const FURTHER: readonly Column[] = [
  ['audit_events', 'actor_type'],
  ['audit_events', 'action'],
  ['audit_events', 'target_type'],
  ['mails', 'kind'],
  ['requests', 'operation'],
  ['requests', 'method'],
];

/** Columns with a JSON array of values. */
const ARRAYS: readonly Column[] = [
  ['api_keys', 'scopes'],
  ['oauth_access_tokens', 'scopes'],
  ['oauth_apps', 'scopes'],
  ['oauth_grants', 'scopes'],
  ['webhook_endpoints', 'events'],
  ['webhook_replays', 'event_types'],
];

/** Column that decides who may read → a read that an unknown value refuses, with its status. */
const ADMITTING: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'oauth_grants.status': { '/consents/:id of the owner': 404 },
  'sessions.kind': { '/console of the developer': 303 },
  'tenants.status': { 'clients.list': 403 },
  'users.status': { '/ of the owner': 303 },
};

const TABLES = join(repository, 'packages/server/src/db/tables');
const CHOICES: readonly Column[] = readdirSync(TABLES)
  .filter((file) => file !== 'columns.ts' && !file.endsWith('.test.ts'))
  .flatMap((file) => {
    const source = readFileSync(join(TABLES, file), 'utf8');
    const [, table = ''] = /defineTable\(\s*'(\w+)'/.exec(source) ?? [];
    return [...source.matchAll(/^\s*(\w+): .*\bascii</gm)].map(([, column = '']): Column => [table, column]);
  });

/** Reads everything that shows stored rows. Resolves to the status of each read by its name. */
type ReadAll = () => Promise<Readonly<Record<string, number>>>;

let readAll: ReadAll;
let before: Awaited<ReturnType<ReadAll>>;
beforeAll(async () => {
  readAll = await readerOf(story.server, await signedInDeveloper(story.server));
  before = await readAll();
});

test('every list, object and page of the test is read', () => {
  const failed = Object.entries(before).filter(([, status]) => status !== 200);
  expect(failed).toEqual([]);
});

test.each(roundsOf([...CHOICES, ...FURTHER, ...ARRAYS]))('an unknown value is read: %s', async (_, columns) => {
  const restore = [];
  try {
    for (const column of columns) restore.push(await setUnknown(column));
    expect(await readAll()).toEqual(before);
  } finally {
    for (const one of restore) await one();
  }
});

test.each(Object.entries(ADMITTING))('an unknown value in %s admits no caller', async (name, refused) => {
  const [table = '', column = ''] = name.split('.');
  const restore = await setUnknown([table, column]);
  try {
    const statuses = await readAll();
    expect(statuses).toMatchObject(refused);
    expect(Object.entries(statuses).filter(([, status]) => status >= 500)).toEqual([]);
  } finally {
    await restore();
  }
});

test('a refused request at an endpoint that only a newer version has is listed with the name of that endpoint', async () => {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const { api } = await login(server, developer);
  const app = await server.createApp({ developerId: developer.id });
  await postForm(`${server.baseUrl}/oauth/token`, refreshForm(app, 'plat_rt_unknown'));
  const path = `/developer/v1/apps/${app.appId}/refusals`;
  const { body: known } = await api(path);
  const sql = "UPDATE requests SET operation = 'oauth.invented' WHERE tenant_id = :appId";
  await execute(server.db, sql, { appId: app.appId });
  const { status, body } = await api(path);
  expect([status, body.data]).toEqual([200, [{ ...known.data[0], endpoint: 'invented' }]]);
});

/** Distributes columns over rounds, so that a round has one column of each table, and one unknown value hides no other. */
function roundsOf(columns: readonly Column[]): readonly (readonly [string, readonly Column[]])[] {
  const read = columns.filter((column) => !(column.join('.') in ADMITTING));
  const turnOf = (column: Column) => read.filter(([table]) => table === column[0]).indexOf(column);
  const rounds = [...Map.groupBy(read, turnOf).values()];
  return rounds.map((round) => [round.map((column) => column.join('.')).join(', '), round]);
}

/** Gives the rows of a table an unknown value. Resolves to a function that restores them. */
async function setUnknown([table, column]: Column): Promise<() => Promise<void>> {
  const { db } = story.server;
  const isArray = ARRAYS.some((one) => one.join('.') === `${table}.${column}`);
  const value = isArray ? `'["${INVENTED}",' || substr(${column}, 2)` : `'${INVENTED}'`;
  await execute(db, `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  const restore = async () => {
    await execute(db, `DELETE FROM ${table}`);
    await execute(db, `INSERT INTO ${table} SELECT * FROM kept_${table}`);
    await execute(db, `DROP TABLE kept_${table}`);
  };
  // Only one row has the value of a unique index.
  await execute(db, `UPDATE OR IGNORE ${table} SET ${column} = ${value} WHERE ${column} IS NOT NULL`);
  const like = `${column} LIKE '%${INVENTED}%'`;
  const row = await selectOne<{ changed: number }>(db, `SELECT COUNT(*) AS changed FROM ${table} WHERE ${like}`);
  expect(Number(row?.changed), `rows with a value in ${table}.${column}`).toBeGreaterThan(0);
  return restore;
}

async function readerOf(server: TestServer, developer: SignedInDeveloper): Promise<ReadAll> {
  const { tenantId, session } = developer;
  const api = apiOf(server.baseUrl, developer.apiKey);
  const { api: ofDeveloper } = await login(server, developer);
  const ids = await createObjects(api, tenantId);
  const { ids: ofApp, consentId } = await createApps(server, developer, ofDeveloper);
  const { body: logins } = await ofDeveloper('/developer/v1/tokens');
  // The previous key and secret stay valid, so that their pages of revocation are shown.
  await ofDeveloper('/developer/v1/keys', { body: { expires_in: 3600 } });
  await ofDeveloper(`/developer/v1/apps/${ofApp['app_id']}/rotate_secret`, { body: { expires_in: 3600 } });
  const { body: owners } = await api('/v1/users?role=owner&status=active');
  await api('/v1/webhooks/replays', { body: { since: '2026-01-01T00:00:00Z', event_types: ['client.created'] } });
  // Neither an attempt at the endpoint nor a mail is sent here.
  const failed = "status = 'failed', error_class = 'timeout', error = 'timeout', queue_shard = NULL, attempted_at = 1";
  await execute(server.db, `UPDATE webhook_deliveries SET ${failed}`);
  const newcomer = visitor(server.baseUrl);
  await newcomer.get('/sign-in');
  await newcomer.post('/sign-in', { email: developer.email });
  const { headers } = await api('/v1/clients/unknown');
  const refused = { request_id: headers.get('x-request-id') ?? '' };
  const pages = { ...ids, ...refused, app_id: ofApp['app_id'] ?? '', consent_id: consentId };
  const consoles = [
    ['developer', DEVELOPER_PAGES, openConsole(server, session)],
    ['owner', ADMIN_PAGES, openConsole(server, await server.signInAdmin(owners.data[0].id))],
  ] as const;
  return async () => {
    const statuses: Record<string, number> = {};
    for (const [name, { method }] of operations) {
      if (method === 'GET') statuses[name] = (await callOperation(api, name, (key) => ids[key])).status;
    }
    for (const [name, { method, path }] of Object.entries<OperationInfo>(DEVELOPER_OPERATIONS)) {
      const own = { ...ofApp, token_id: logins.data[0].id };
      if (method === 'GET') statuses[name] = (await ofDeveloper(withIds(path, own))).status;
    }
    for (const [account, routes, { get }] of consoles) {
      for (const { method, path, answers } of routes) {
        const at = pathOfPage(path, path.includes('/apps/') ? { ...pages, ...ofApp } : pages);
        const isRead = method === 'GET' && at !== null && answers !== 'events';
        if (isRead) statuses[`${path} of the ${account}`] = (await get(at)).status;
      }
    }
    return statuses;
  };
}

/** Creates an app with its webhooks, a refused request and a consent, and another one that is disabled. */
async function createApps(server: TestServer, { id: developerId, tenantId }: SignedInDeveloper, api: Api) {
  const [app, disabled] = [
    await server.createApp({ developerId, verified: true }),
    await server.createApp({ developerId }),
  ];
  const own = `/developer/v1/apps/${app.appId}`;
  const { body: endpoint } = await api(`${own}/webhooks/endpoints`, {
    body: { url: 'https://app.example', events: ['*'] },
  });
  const { body: replay } = await api(`${own}/webhooks/replays`, { body: { since: '2026-01-01T00:00:00Z' } });
  const { tokens, grantId } = await server.grantTokens({ app, tenantId });
  await postForm(`${server.baseUrl}/oauth/token`, refreshForm(app, 'plat_rt_unknown'));
  await apiOf(server.baseUrl, tokens.access_token)('/v1/me');
  const former = await server.grant({ app: disabled, tenantId });
  await server.revokeConsent(tenantId, former.grantId);
  await api(`/developer/v1/apps/${disabled.appId}/disable`, { method: 'POST' });
  const { body: events } = await api(`${own}/webhooks/events`);
  const { body: deliveries } = await api(`${own}/webhooks/deliveries`);
  return {
    consentId: grantId,
    ids: {
      ...{ app_id: app.appId, installation_id: grantId, endpoint_id: endpoint.id, replay_id: replay.id },
      ...{ event_id: events.data[0].id, delivery_id: deliveries.data[0].id, id: endpoint.id },
    },
  };
}

function withIds(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
}
