import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { EXIT_CODES, run } from '@plat/cli';
import { OPERATION_NAMES, OPERATIONS, type OperationName, pathParametersOf } from '@plat/contract';
import { OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { describe, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { useServer } from '../support/story.ts';
import { type Visit, visitor } from '../support/visitor.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

const HOSTILE = `"><script>alert('x')</script>`;

async function newDeveloper() {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const { cookie, csrfToken } = developer.session;
  const browser = visitor(server.baseUrl, cookie);
  const post = (fields: Readonly<Record<string, string>>) =>
    browser.post('/console/explorer', { _csrf: csrfToken, ...fields });
  return { developer, api: apiOf(server.baseUrl, developer.apiKey), browser, post };
}

async function signedInUser(role?: string) {
  const { server } = story;
  const tenant = await server.createTenant({ sandbox: false });
  const api = apiOf(server.baseUrl, tenant.apiKey);
  let id = tenant.ownerId;
  if (role !== undefined) {
    const invited = await api('/v1/users', { body: { email: `${role}@example.com`, name: role, role } });
    const { execute } = await import('@plat/server/testing');
    await execute(server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: invited.body.id });
    id = invited.body.id;
  }
  const { cookie, csrfToken } = await server.signInAdmin(id);
  const browser = visitor(server.baseUrl, cookie);
  const post = (fields: Readonly<Record<string, string>>) => browser.post('/explorer', { _csrf: csrfToken, ...fields });
  return { id, api, browser, post };
}

/** Undoes the escapes of a page. */
const plain = (text: string) =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '&',
  );

/** The text of the code block with a label. */
function codeOf({ text }: Visit, label: string): string {
  const [, found = ''] = new RegExp(`aria-label="${label}"[^>]*>([^]*?)</pre>`).exec(text) ?? [];
  return plain(found.replace(/<[^>]*>/g, ''));
}
const bodyOf = (visit: Visit) => JSON.parse(codeOf(visit, 'Body'));
const statusOf = ({ text }: Visit) => Number(/Response <span class="badge http \w*">(\d+)/.exec(text)?.[1]);
const requestIdOf = ({ text }: Visit) => /trace\?id=(req_\w+)/.exec(text)?.[1] ?? '';

describe('the Explorer', () => {
  test('calls the API like a program: the same response, limits, log, audit trail and events', async () => {
    const { developer, api, browser, post } = await newDeveloper();
    const created = await post({ operation: 'clients.create', 'in.name': 'Acme', key: 'once' });
    expect([created.status, statusOf(created)]).toEqual([200, 201]);
    const client = bodyOf(created);
    // The next call from the page is another one.
    expect(created.text).toMatch(/name="key"[^>]* value="[0-9a-f]{32}"/);
    expect((await api(`/v1/clients/${client.id}`)).body).toEqual(client);
    expect(created.text).toContain('<dt>x-ratelimit-remaining</dt>');

    const logged = (await api(`/v1/requests/${requestIdOf(created)}`)).body;
    expect(logged).toMatchObject({
      method: 'POST',
      path: '/v1/clients',
      status: 201,
      idempotency_key: 'once',
      credential: { type: 'session', id: developer.id, app_id: null },
      ip: '127.0.0.1',
    });
    const { body: trail } = await api('/v1/audit/events?action=client.created');
    expect(trail.data[0]).toMatchObject({ actor: { type: 'developer', id: developer.id }, target: { id: client.id } });
    const { body: events } = await api('/v1/webhooks/events?type=client.created');
    expect(JSON.stringify(events.data[0])).toContain(client.id);
    const trace = await browser.get(`/console/trace?id=${requestIdOf(created)}`);
    expect(trace.text).toContain('Explorer of');

    const again = await post({ operation: 'clients.create', 'in.name': 'Acme', key: 'once' });
    expect([bodyOf(again).id, again.text.includes('<dt>idempotent-replayed</dt>')]).toEqual([client.id, true]);
    const other = await post({ operation: 'clients.create', 'in.name': 'Other', key: 'once' });
    expect(statusOf(other)).toBe(409);

    const read = await browser.get(`/console/explorer?operation=clients.get&run=1&path.client_id=${client.id}`);
    expect([statusOf(read), bodyOf(read)]).toEqual([200, client]);
    const list = await browser.get('/console/explorer?operation=clients.list&run=1&in.limit=1');
    expect(bodyOf(list)).toMatchObject({ object: 'list', data: [{ id: client.id }], url: '/v1/clients' });
  });

  test('uses an idempotency key again after a reset of the sandbox', async () => {
    const { developer, api, post } = await newDeveloper();
    const create = () => post({ operation: 'clients.create', 'in.name': 'Acme', key: 'once' });
    const before = bodyOf(await create());
    await story.server.resetSandbox(developer.tenantId);
    const after = bodyOf(await create());
    expect(after.id).not.toBe(before.id);
    expect((await api(`/v1/clients/${after.id}`)).status).toBe(200);
  });

  test('shows a refusal with cause and fix, beside the field that it names', async () => {
    const { post, browser } = await newDeveloper();
    const refused = await post({
      operation: 'clients.create',
      'in.name': 'A',
      'in.slug': `Not a slug ${HOSTILE}`,
      key: '',
    });
    expect(statusOf(refused)).toBe(400);
    expect(refused.text).toContain('id="in.slug-problem"');
    expect(refused.text).toContain('<dt>Fix</dt>');
    expect(refused.text).not.toContain('<script>alert');
    const missing = await browser.get('/console/explorer?operation=clients.get&run=1&path.client_id=');
    expect([missing.status, missing.text.includes('id="path.client_id-problem"')]).toEqual([400, true]);
    const unknown = await browser.get('/console/explorer?operation=clients.get&run=1&path.client_id=../me');
    expect(statusOf(unknown)).toBe(404);
    const broken = await post({ operation: 'clients.create', as: 'json', json: '{', key: '' });
    expect([broken.status, broken.text.includes('id="json-problem"')]).toEqual([400, true]);
    expect((await browser.get('/console/explorer?operation=nothing.get')).status).toBe(404);
  });

  test('sends a body that is edited as JSON, with null', async () => {
    const { api, post } = await newDeveloper();
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { domain: 'acme.example' } });
    const changed = await post({
      operation: 'clients.update',
      'path.client_id': client.id,
      as: 'json',
      json: '{"domain": null}',
    });
    expect(bodyOf(changed).custom_domain).toBeNull();
    expect(codeOf(changed, 'plat')).toBe(`plat clients update ${client.id} --no-domain`);
  });

  test('sends null for a field that can be null, from its form', async () => {
    const { api, browser, post } = await newDeveloper();
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { domain: 'null.example' } });
    const form = await browser.get('/console/explorer?operation=clients.update');
    expect(form.text).toContain('name="null.domain"');
    expect(form.text).not.toContain('name="null.name"');
    const fields = { operation: 'clients.update', 'path.client_id': client.id, 'in.domain': 'ignored.example' };
    const changed = await post({ ...fields, 'null.domain': 'on' });
    expect(bodyOf(changed).custom_domain).toBeNull();
    expect(changed.text).toMatch(/name="null.domain" value="on" checked/);
  });

  test('opens with a read that can be run at once', async () => {
    const { browser } = await newDeveloper();
    const first = await browser.get('/console/explorer');
    expect(first.text).toContain('Run clients.list</button>');
    expect(codeOf(first, 'plat')).toBe('plat clients list');
    expect((await browser.get('/console/explorer?operation=')).text).toContain('Run clients.list</button>');
  });

  test('has the scopes of the key of the sandbox', async () => {
    const { developer, browser, post } = await newDeveloper();
    const seen = /name="seen" value="([^"]*)"/.exec((await browser.get('/console/key')).text)?.[1] ?? '';
    await browser.post('/console/key', { _csrf: developer.session.csrfToken, seen, 'scope.me:read': 'on' });
    expect(statusOf(await post({ operation: 'clients.create', 'in.name': 'A', key: '' }))).toBe(403);
    expect(bodyOf(await browser.get('/console/explorer?operation=me.get&run=1'))).toMatchObject({
      tenant_id: developer.tenantId,
      credential_type: 'session',
      scopes: ['me:read'],
    });
  });

  test('sends a text that is no number as it is typed', async () => {
    const { browser } = await newDeveloper();
    const list = await browser.get('/console/explorer?operation=clients.list&run=1&in.limit=Infinity');
    expect(statusOf(list)).toBe(400);
    expect(codeOf(list, 'SDK')).toContain('limit: "Infinity"');
  });

  test('shows the beginning of a long response, so that the page stays below 50 KB', async () => {
    const { api, browser } = await newDeveloper();
    for (let i = 0; i < 60; i++) await api('/v1/clients', { body: { name: `${HOSTILE} ${i}` } });
    for (const operation of ['clients.list', 'requests.list']) {
      const { text } = await browser.get(`/console/explorer?operation=${operation}&run=1&in.limit=100`);
      expect(Buffer.byteLength(text), operation).toBeLessThan(50_000);
      expect(text, operation).toContain('Body, the first 12000 of');
    }
  });

  test('shows a response that is no JSON as text', async () => {
    const { developer, browser, post } = await newDeveloper();
    const spoil = async (operation: string) => {
      const fault = { kind: 'malformed', operation, tenant_id: developer.tenantId };
      expect(await apiOf(story.server.baseUrl)('/_dev/faults', { body: fault })).toMatchObject({ status: 201 });
    };
    await spoil('clients.list');
    const list = await browser.get('/console/explorer?operation=clients.list&run=1');
    expect([list.status, statusOf(list)]).toEqual([200, 200]);
    expect(codeOf(list, 'Body')).toMatch(/^\{"object":"list","data":\[\{/);

    await spoil('clients.create');
    const refused = await post({ operation: 'clients.create', 'in.name': 'x'.repeat(300) });
    expect([refused.status, statusOf(refused)]).toEqual([200, 400]);
    expect(codeOf(refused, 'Body')).toMatch(/^\{"code":"INVALID_BODY"/);
  });

  test('never accepts the header of a call from inside', async () => {
    for (const authorization of ['Inside x.y', 'Inside']) {
      const { status } = await apiOf(story.server.baseUrl)('/v1/me', { headers: { authorization } });
      expect(status).toBe(401);
    }
  });
});

describe('in a production tenant, the Explorer', () => {
  test('changes nothing until the person confirms it', async () => {
    const { id, api, post } = await signedInUser();
    const refused = await post({ operation: 'clients.create', 'in.name': 'Live', key: 'k' });
    expect([refused.status, refused.text.includes('id="confirmed-problem"')]).toEqual([400, true]);
    expect((await api('/v1/clients')).body.data).toEqual([]);
    const done = await post({ operation: 'clients.create', 'in.name': 'Live', key: 'k', confirmed: 'on' });
    expect(statusOf(done)).toBe(201);
    const { body: trail } = await api('/v1/audit/events?action=client.created');
    expect(trail.data[0].actor).toEqual({ type: 'user', id });
  });

  test('lets a member read what the rooms show, and make no change', async () => {
    const { browser, post } = await signedInUser('member');
    expect(statusOf(await browser.get('/explorer?operation=clients.list&run=1'))).toBe(200);
    expect(statusOf(await browser.get('/explorer?operation=audit.events.list&run=1'))).toBe(403);
    // The request log is a room of members, the audit trail is not, and both have the scope audit:read.
    expect(statusOf(await browser.get('/explorer?operation=requests.list&run=1'))).toBe(200);
    expect((await browser.get('/explorer?operation=requests.list')).text).toContain('Run requests.list</button>');
    expect((await post({ operation: 'clients.create', 'in.name': 'A', key: '', confirmed: 'on' })).status).toBe(403);
    for (const operation of ['clients.create', 'audit.events.list', 'billing.invoices.list']) {
      const { text } = await browser.get(`/explorer?operation=${operation}`);
      expect([text.includes('Your role cannot make this call'), text.includes(`Run ${operation}<`)]).toEqual([
        true,
        false,
      ]);
    }
  });

  test('reads nothing of another tenant', async () => {
    const mine = await signedInUser();
    const theirs = await signedInUser();
    const { body } = await theirs.api('/v1/clients', { body: { name: 'Theirs' } });
    const found = await mine.browser.get(`/explorer?operation=clients.get&run=1&path.client_id=${body.id}`);
    expect(statusOf(found)).toBe(404);
  });
});

/** The required fields of an operation with examples, and an id for each parameter of the path. */
function examplesOf(operation: OperationName): Record<string, string> {
  const { query, body }: OperationSchemas = OPERATION_SCHEMAS[operation];
  const { properties = {}, required = [] } = SCHEMAS[body ?? query ?? 'ListParams'];
  // A change without any field is refused before it is sent.
  const names = operation.endsWith('.update') ? Object.keys(properties).slice(0, 1) : required;
  const path = pathParametersOf(OPERATIONS[operation]).map((name) => [`path.${name}`, `x_${name}`]);
  const fields = names.map((name) => [
    `in.${name}`,
    String(properties[name]?.examples?.[0] ?? properties[name]?.enum?.[0] ?? 'x'),
  ]);
  return Object.fromEntries([...path, ...fields]);
}

describe('the code beside a call', () => {
  test('is a complete command of plat for every operation', async () => {
    const { developer, browser } = await newDeveloper();
    const env = { PLAT_BASE_URL: story.server.baseUrl, PLAT_API_KEY: developer.apiKey };
    for (const operation of OPERATION_NAMES) {
      const query = new URLSearchParams({ operation, ...examplesOf(operation) });
      const text = codeOf(await browser.get(`/console/explorer?${query}`), 'plat');
      const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${text.replace(/^plat /, '')}`]);
      const stderr = new PassThrough();
      const streams = { stdin: new PassThrough().end(), stdout: new PassThrough().resume(), stderr };
      const code = await run(stdout.trimEnd().split('\n'), { ...streams, env, cwd: '/' });
      const isUsage = code === EXIT_CODES.usage && !/--yes/.test(String(stderr.read()));
      expect(isUsage, `${operation}: ${text}`).toBe(false);
    }
  });

  test('is a curl command and a program that send the same, and cannot run more than they show', async () => {
    const { browser } = await newDeveloper();
    const query = new URLSearchParams({
      operation: 'clients.create',
      'in.name': `It's $(reboot) ${HOSTILE}`,
      key: 'k',
    });
    const visit = await browser.get(`/console/explorer?${query}`);
    expect(visit.text).not.toContain('<script>alert');
    const program = `curl() { printf '%s\\n' "$@"; }; PLAT_BASE_URL=http://x; ${codeOf(visit, 'curl')}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', program]);
    const [, , target, ...rest] = stdout.trimEnd().split('\n');
    expect(target).toBe('http://x/v1/clients');
    expect(JSON.parse(rest.at(-1) ?? '')).toEqual({ name: `It's $(reboot) ${HOSTILE}` });
    expect(codeOf(visit, 'SDK')).toContain('await platform.clients.create({');
  });
});
