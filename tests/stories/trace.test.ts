import { HEADERS, type Scope, type Trace, type TraceEntry } from '@plat/contract';
import { DELIVERY_ERROR_REFERENCE, ERROR_REFERENCE } from '@plat/contract/error-reference';
import { execute, type TestApp, type TestTenant } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { postForm, refreshForm } from '../support/oauth.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

/* One trace for any id: from the request to each attempt, and of a grant. */

const story = useServer();
let receiver: Receiver;
let tenant: TestTenant;
let api: Api;
let endpoint: { readonly id: string };
let failing: { readonly id: string };
/** The answer that created a client, whose event one of two receivers refuses. */
let created: Answer;
let whole: Trace;

const idOf = ({ headers }: Answer): string => headers.get(HEADERS.requestId) ?? '';
const traceOf = async (id: string, as = api, query = ''): Promise<Trace> => {
  const answer = await as(`/v1/trace/${encodeURIComponent(id)}${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const kindsIn = ({ entries }: Trace) => entries.map(({ kind }) => kind);
const only = <K extends TraceEntry['kind']>({ entries }: Trace, kind: K) =>
  entries.filter((entry): entry is Extract<TraceEntry, { kind: K }> => entry.kind === kind);
const credentialWith = async (...scopes: Scope[]): Promise<Api> => {
  const app = await story.server.createApp({ scopes });
  const { tokens } = await story.server.grantTokens({ app, tenantId: tenant.tenantId });
  return apiOf(story.server.baseUrl, tokens.access_token);
};

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer((_req, res, { path }) => res.writeHead(path === '/failing' ? 500 : 204).end('no table'));
  tenant = await story.server.createSandbox();
  api = apiOf(story.server.baseUrl, tenant.apiKey);
  const addEndpoint = async (path: string) =>
    (await api('/v1/webhooks/endpoints', { body: { url: receiver.url + path, events: ['client.created'] } })).body;
  endpoint = await addEndpoint('/ok');
  failing = await addEndpoint('/failing');
  created = await api('/v1/clients', { body: { name: 'Café Nordlicht' } });
  await receiver.waitFor(2);
  await story.server.idle();
  whole = await traceOf(idOf(created));
});
afterAll(() => receiver.close());

describe('the trace of a request', () => {
  test('shows the request, its change, its event, each attempt and the next one, each with its cause', () => {
    expect(whole).toMatchObject({ object: 'trace', subject: { type: 'request', id: idOf(created) }, withheld: [] });
    expect(whole).toMatchObject({ has_more: false, next_cursor: null, truncated: [] });
    const { id } = created.body;
    const [request, change, event, ...attempts] = whole.entries;
    expect(request).toMatchObject({ kind: 'request', caused_by: null, request: { path: '/v1/clients', status: 201 } });
    expect(change).toMatchObject({ kind: 'change', caused_by: request?.id, change: { target: { id } } });
    expect(event).toMatchObject({
      kind: 'event',
      caused_by: change?.id,
      event: { type: 'client.created', data: { id } },
    });
    expect(attempts.map(({ kind }) => kind)).toEqual(['attempt', 'attempt', 'attempt']);
    const ofFailing = only(whole, 'attempt').filter(({ delivery }) => delivery.endpoint_id === failing.id);
    expect(ofFailing).toMatchObject([
      { caused_by: event?.id, delivery: { status: 'retrying', response_status: 500, response_body: 'no table' } },
      { caused_by: ofFailing[0]?.id, delivery: { status: 'pending', attempt: 2 }, sent: null },
    ]);
    expect(Date.parse(ofFailing[1]?.at ?? '')).toBeGreaterThan(Date.now());
  });

  test('names the failure that is left, with cause and fix of the error table', () => {
    const [failed] = only(whole, 'attempt').filter(({ delivery }) => delivery.status === 'retrying');
    expect(whole.problems).toEqual([
      { entry_id: failed?.id, code: 'http_status', ...DELIVERY_ERROR_REFERENCE.http_status },
    ]);
  });

  test('shows the sent headers, and of the signature of a failed attempt the first digits', () => {
    for (const { id, delivery, sent } of only(whole, 'attempt').filter((entry) => entry.sent)) {
      const headers = receiver.received.find((one) => one.headers[HEADERS.deliveryId] === id)?.headers ?? {};
      for (const { name, value } of sent?.headers ?? []) {
        if (name === 'X-Platform-Signature') {
          const [t, start = ''] = value.split(',v1=');
          expect(headers['x-platform-signature']).toMatch(
            new RegExp(`^${t},v1=${start.replace('…', '')}[0-9a-f]{56}$`),
          );
          expect(`t=${sent?.signed_at}`).toBe(t);
        } else expect(headers[name.toLowerCase()]).toBe(value);
      }
      const isSigned = sent?.headers.some(({ name }) => name === 'X-Platform-Signature');
      expect(isSigned).toBe(delivery.status !== 'succeeded');
    }
  });

  test('that was refused is the request with cause and fix of its code', async () => {
    const refused = await api('/v1/clients', { body: { nmae: 'Acme' } });
    const trace = await traceOf(idOf(refused));
    expect(kindsIn(trace)).toEqual(['request']);
    const { cause, fix } = ERROR_REFERENCE.INVALID_BODY;
    expect(trace.problems).toEqual([{ entry_id: idOf(refused), code: 'INVALID_BODY', cause, fix }]);
  });

  test('that the log does not have is found by its changes', async () => {
    const { apiKey } = await story.server.createTenant();
    const production = apiOf(story.server.baseUrl, apiKey);
    const answer = await production('/v1/clients', { body: { name: 'Acme' } });
    // By default the log of a production tenant has failed requests only.
    await traceOf(idOf(answer), production);
    await execute(story.server.db, 'DELETE FROM requests WHERE id = :id', { id: idOf(answer) });
    expect((await traceOf(idOf(answer), production)).entries).toMatchObject([
      { kind: 'request', id: idOf(answer), request: null },
      { kind: 'change', caused_by: idOf(answer) },
      { kind: 'event' },
    ]);
  });
});

describe('the same chain', () => {
  test('is found from the event, an attempt and the audit event', async () => {
    for (const entry of whole.entries.filter(({ kind }) => kind !== 'request')) {
      const trace = await traceOf(entry.id);
      expect(trace.subject.id).toBe(entry.id);
      expect(trace.entries).toEqual(whole.entries);
    }
  });

  test('is found from the object and its slug; the newest cause is first', async () => {
    const { id, slug } = created.body;
    const updated = await api(`/v1/clients/${id}`, { method: 'PATCH', body: { name: 'Café Südlicht' } });
    for (const text of [id, slug]) {
      const trace = await traceOf(text);
      expect(trace.subject).toEqual({ type: 'client', id });
      expect(only(trace, 'request').map((entry) => entry.id)).toEqual([idOf(updated), idOf(created)]);
      expect(trace.entries.slice(-whole.entries.length)).toEqual(whole.entries);
    }
  });

  test('is found from the endpoint, with its own attempts only', async () => {
    const trace = await traceOf(failing.id);
    const attempts = only(trace, 'attempt');
    expect(attempts.length).toBe(2);
    expect(attempts.every(({ delivery }) => delivery.endpoint_id === failing.id)).toBe(true);
    expect(only(trace, 'request').map((entry) => entry.id)).toContain(idOf(created));
    expect(only(trace, 'change').map(({ change }) => change.action)).toContain('webhook_endpoint.created');
  });

  test('is found from the API key that called', async () => {
    const [entry] = only(whole, 'request');
    const trace = await traceOf(entry?.request?.credential.id ?? '');
    expect(only(trace, 'request').map((entry) => entry.id)).toContain(idOf(created));
  });
});

test('a replay is a later cause: its request, its change and the attempts that it made due', async () => {
  const [event] = only(whole, 'event');
  const replayed = await api(`/v1/webhooks/events/${event?.id}/replay`, { body: { endpoint_id: endpoint.id } });
  await story.server.idle();
  const trace = await traceOf(event?.id ?? '');
  const [request, change, attempt, ...rest] = trace.entries;
  expect(request).toMatchObject({ kind: 'request', id: idOf(replayed) });
  expect(change).toMatchObject({ kind: 'change', change: { action: 'event.replayed' }, caused_by: request?.id });
  expect(attempt).toMatchObject({
    kind: 'attempt',
    caused_by: change?.id,
    delivery: { attempt: 1, status: 'succeeded' },
  });
  expect(rest).toEqual(whole.entries);
});

test('a replay of many events is found by its id, and is the cause of its attempts', async () => {
  const body = { since: new Date(Date.now() - 3_600_000).toISOString(), select: 'failed', endpoint_id: failing.id };
  await api('/v1/webhooks/events/none/replay', { method: 'POST' });
  const { body: replay } = await api('/v1/webhooks/replays', { body });
  expect((await traceOf(replay.id)).entries).toMatchObject([
    { kind: 'request' },
    { kind: 'change', change: { action: 'webhook_replay.created' } },
    { kind: 'replay', id: replay.id, replay: { select: 'failed' } },
  ]);
});

test('a user is found by address and id, with invitation and role changes', async () => {
  const { body: user } = await api('/v1/users', { body: { email: 'Ada@Example.com', role: 'member' } });
  await api(`/v1/users/${user.id}`, { method: 'PATCH', body: { role: 'viewer' } });
  const trace = await traceOf('ada@example.com');
  expect(trace).toMatchObject({ id: 'ada@example.com', subject: { type: 'user', id: user.id } });
  expect(only(trace, 'event').map(({ event }) => event.type)).toEqual(['user.role_changed', 'user.invited']);
  expect((await traceOf(user.id)).entries).toEqual(trace.entries);
});

test('the request log does not keep the address of a trace', async () => {
  const refused = await api('/v1/trace/nobody%40example.com');
  expectRefusal(refused, 'TRACE_NOT_FOUND');
  expect((await api(`/v1/requests/${idOf(refused)}`)).body.path).toBe('/v1/trace/…');
});

test('group and location are found, and a seeded object without a history has no entries', async () => {
  const { body: group } = await api('/v1/groups', { body: { name: 'North' } });
  const place = { name: 'Main', address: 'Street 1', country: 'DE' };
  const { body: location } = await api(`/v1/groups/${group.id}/locations`, { body: place });
  for (const { id } of [group, location]) expect(kindsIn(await traceOf(id))).toEqual(['request', 'change', 'event']);
  expect((await traceOf('north')).subject).toEqual({ type: 'group', id: group.id });
  const [seeded] = (await api('/v1/roles')).body.data.slice(-1);
  expect(await traceOf(seeded.id)).toMatchObject({ subject: { type: 'role' }, entries: [], problems: [] });
});

test('an event that no endpoint subscribes to says so', async () => {
  const answer = await api('/v1/groups', { body: { name: 'Lonely' } });
  const [event] = only(await traceOf(idOf(answer)), 'event');
  expect((await traceOf(event?.id ?? '')).problems).toMatchObject([{ entry_id: event?.id, code: 'no_endpoint' }]);
});

describe('a grant', () => {
  let app: TestApp;
  let grantId: string;

  beforeAll(async () => {
    app = await story.server.createApp();
    const granted = await story.server.grantTokens({ app, tenantId: tenant.tenantId });
    ({ grantId } = granted);
    const token = (refreshToken: string) =>
      postForm(`${story.server.baseUrl}/oauth/token`, refreshForm(app, refreshToken));
    const next = await token(granted.tokens.refresh_token);
    expect(next.status).toBe(200);
    expect((await token(granted.tokens.refresh_token)).status).toBe(400);
  });

  test('shows when it was issued, exchanged, refreshed and reused', async () => {
    const trace = await traceOf(grantId);
    const steps = only(trace, 'grant').toSorted((a, b) => (a.at < b.at ? -1 : 1));
    expect(steps.map(({ step, generation, reason }) => [step, generation, reason])).toEqual([
      ['issued', null, null],
      ['exchanged', 1, null],
      ['refreshed', 2, null],
      ['reused', null, 'refresh_token_reused'],
    ]);
    expect(steps[2]).toMatchObject({ app_id: app.appId, ip: '127.0.0.1', request_id: expect.stringMatching(/^req_/) });
    expect(
      only(trace, 'change')
        .map(({ change }) => change.action)
        .sort(),
    ).toEqual(['oauth.app_authorized', 'oauth.tokens_revoked']);
    expect(trace.problems).toMatchObject([{ entry_id: grantId, code: 'INVALID_GRANT' }]);
  });

  test('is found from its app, in the tenant that consented only', async () => {
    const trace = await traceOf(app.appId);
    expect(only(trace, 'grant').map(({ id }) => id)).toEqual(Array(4).fill(grantId));
    const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    expectRefusal(await other(`/v1/trace/${app.appId}`), 'TRACE_NOT_FOUND');
    expectRefusal(await other(`/v1/trace/${grantId}`), 'TRACE_NOT_FOUND');
  });
});

describe('the scopes', () => {
  test('of parts that the credential lacks are named, and the parts are not shown', async () => {
    const events = await traceOf(created.body.id, await credentialWith('webhooks:read'));
    expect(new Set(kindsIn(events))).toEqual(new Set(['event', 'attempt']));
    expect(events.withheld).toEqual([
      { part: 'requests', scope: 'audit:read' },
      { part: 'changes', scope: 'audit:read' },
      { part: 'grants', scope: 'audit:read' },
    ]);
    const changes = await traceOf(only(whole, 'event')[0]?.id ?? '', await credentialWith('audit:read'));
    expect(new Set(kindsIn(changes))).toEqual(new Set(['request', 'change']));
    expect(changes.problems).toEqual([]);
    expect(changes.withheld.map(({ part }) => part)).toEqual(['events', 'attempts', 'replays']);
  });

  test('without any part the response is a refusal, for every id', async () => {
    const none = await credentialWith('me:read', 'clients:read');
    for (const id of [idOf(created), created.body.id, 'evt_none', 'nobody']) {
      const refused = await none(`/v1/trace/${id}`);
      expectRefusal(refused, 'INSUFFICIENT_SCOPE');
      expect(refused.headers.get('www-authenticate')).toContain('scope="audit:read"');
    }
  });

  test('of addresses and slugs are those of their lists', async () => {
    const audit = await credentialWith('audit:read');
    for (const text of ['ada@example.com', 'nobody@example.com', created.body.slug, 'no-such-slug']) {
      expectRefusal(await audit(`/v1/trace/${text}`), 'INSUFFICIENT_SCOPE');
    }
  });
});

test('an unknown or malformed id, and ids of another tenant, are the same 404', async () => {
  const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  const theirs = [...whole.entries.map(({ id }) => id), created.body.id, created.body.slug, endpoint.id];
  for (const id of [...theirs, tenant.tenantId, 'ada@example.com']) {
    expectRefusal(await other(`/v1/trace/${id}`), 'TRACE_NOT_FOUND');
  }
  for (const text of ['evt_1', 'req_', 'x@', '@', "'", 'ä', '%25', 'none', 'a'.repeat(500), 'cli_0'.repeat(6)]) {
    expectRefusal(await api(`/v1/trace/${encodeURIComponent(text)}`), 'TRACE_NOT_FOUND');
  }
});

test('pages of a long history follow each other, newest first, and no cause is lost', async () => {
  const { body: client } = await api('/v1/clients', { body: { name: 'Busy' } });
  const names = [...'abcdefg'];
  for (const name of names) await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name } });
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Trace = await traceOf(client.id, api, `?limit=3${cursor === '' ? '' : `&starting_after=${cursor}`}`);
    seen.push(...only(page, 'change').map(({ change }) => String(change.changes?.['name']?.after ?? 'created')));
    expect(page.has_more).toBe(page.next_cursor !== null);
    cursor = page.next_cursor;
  }
  expect([...new Set(seen)]).toEqual([...names.toReversed(), 'created']);
  expectRefusal(await api(`/v1/trace/${client.id}?starting_after=x`), 'INVALID_CURSOR');
});
