import { ACCESS, execute, newId, unitOfWork } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { type Answer, apiOf } from '../support/api.ts';
import { developerConsole, openConsole, shownFields } from '../support/console.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';
import type { Visit } from '../support/visitor.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
const newWorld = () => developerConsole(story.server);

/** Path that a successful form leads to, without the message. */
function landed({ status, location, text }: Visit): string {
  expect(status, text).toBe(303);
  return location.split('?')[0] ?? '';
}
/** The message on the page that a successful form leads to. */
async function messageOf(get: (path: string) => Promise<Visit>, { location }: Visit): Promise<string | undefined> {
  return /<div class="notice good" role="status"><p>([^<]*)</.exec((await get(location)).text)?.[1];
}
const problemsIn = ({ text }: Visit) =>
  Object.fromEntries(
    [...text.matchAll(/<p class="error" id="([\w-]+)-problem">([^<]*)</g)].map(([, field, words]) => [field, words]),
  );
const actionsOf = ({ body }: Answer) => body.data.map(({ action }: { action: string }) => action);
const typesOf = ({ body }: Answer) => body.data.map(({ type }: { type: string }) => type);

describe('a client in the console', () => {
  test('is created, changed and deleted by the rules of the API, with events and audit entries', async () => {
    const { developer, api, get, post, submit } = await newWorld();
    const path = landed(await submit('/console/clients/new', { name: 'Café Nordlicht' }));
    const id = path.split('/').at(-1) ?? '';
    const read = async () => (await api(`/v1/clients/${id}`)).body;
    expect(await read()).toMatchObject({ name: 'Café Nordlicht', slug: 'cafe-nordlicht', status: 'active' });

    const changed = { name: 'Nordlicht', custom_domain: 'ignored.example', domain: 'shop.nordlicht.example' };
    expect(landed(await submit(`${path}/edit`, changed))).toBe(path);
    expect(await read()).toMatchObject({ name: 'Nordlicht', custom_domain: 'shop.nordlicht.example' });
    const [, update] = (await api(`/v1/audit/events?target_id=${id}`)).body.data.toReversed();
    expect(update).toMatchObject({
      action: 'client.updated',
      actor: { type: 'developer', id: developer.id },
      changes: { name: { before: 'Café Nordlicht', after: 'Nordlicht' } },
    });
    expect(landed(await submit(`${path}/edit`, { domain: '' }))).toBe(path);
    expect(await read()).toMatchObject({ name: 'Nordlicht', custom_domain: null });
    // A form without a change makes none.
    expect(landed(await submit(`${path}/edit`))).toBe(path);

    const page = await get(path);
    expect(page.text).toContain('<dt>Slug</dt><dd><span class="mono">cafe-nordlicht</span></dd>');
    expect(page.text).toContain(`plat clients get ${id}`);
    expect((await get(`${path}/delete`)).text).toContain('its slug and domain become free');
    expect(landed(await post(`${path}/delete`))).toBe('/console/clients');
    expect((await get(path)).status).toBe(404);
    const events = await api(`/v1/webhooks/events?object_id=${id}`);
    expect(typesOf(events)).toEqual(['client.deleted', 'client.updated', 'client.updated', 'client.created']);
    const trail = await api(`/v1/audit/events?target_id=${id}`);
    expect(actionsOf(trail)).toEqual(typesOf(events));
  });

  test('that is refused is shown again as typed, with the words of the API beside each field', async () => {
    const { api, get, submit } = await newWorld();
    await api('/v1/clients', { body: { name: 'Harbour', slug: 'harbour' } });
    const { body: before } = await api('/v1/clients');
    const taken = await submit('/console/clients/new', { name: 'Other', slug: 'harbour' });
    expect(taken.status).toBe(409);
    expect(problemsIn(taken)).toEqual({ slug: 'The slug harbour is used by another client of the tenant.' });
    expect(taken.text).toContain('<a href="#slug">The slug harbour');
    expect(taken.text).toMatch(
      /<input [^>]*id="slug"[^>]*aria-describedby="slug-hint slug-problem" aria-invalid="true"/,
    );
    expect(shownFields(taken)).toMatchObject({ name: 'Other', slug: 'harbour' });

    const wrong = await submit('/console/clients/new', { name: ' ', slug: 'Not A Slug' });
    expect(wrong.status).toBe(400);
    expect(problemsIn(wrong)).toEqual({
      name: 'Name is not allowed to be empty.',
      slug: 'Slug must be lower-case letters and digits, with single hyphens between.',
    });
    expect((await api('/v1/clients')).body).toEqual(before);
    const filled = await get('/console/users/new?client_id=cli_x&email=a%40b.example');
    expect(shownFields(filled)).toMatchObject({ client_id: 'cli_x', email: 'a@b.example' });
  });

  test('is created and changed without the white space around a pasted text, and found by such a filter', async () => {
    const { api, get, submit } = await newWorld();
    const path = landed(await submit('/console/clients/new', { name: ' Quay ', slug: ' quay\t' }));
    const read = async () => (await api(`/v1${path.replace('/console', '')}`)).body;
    const before = await read();
    expect(before).toMatchObject({ name: 'Quay', slug: 'quay' });
    // Only white space is no change.
    expect(landed(await submit(`${path}/edit`, { name: 'Quay ', slug: ' quay ' }))).toBe(path);
    expect(await read()).toEqual(before);
    const pasted = { slug: '\tquay-two ', domain: '\u00a0shop.quay.example ' };
    expect(landed(await submit(`${path}/edit`, pasted))).toBe(path);
    expect(await read()).toMatchObject({ slug: 'quay-two', custom_domain: 'shop.quay.example' });
    const refused = await submit('/console/clients/new', { name: 'Other', slug: ' quay-two ' });
    expect([refused.status, refused.text.includes('Open the client <bdi>Quay</bdi>')]).toEqual([409, true]);

    const found = await get('/console/clients?slug=%20quay-two%09&status=');
    expect(found.text).toContain('<bdi>Quay</bdi>');
    expect(found.text).toContain('plat clients list --slug quay-two');
    expect(found.text).toContain('/v1/clients?slug=quay-two');
    expect((await get('/console/clients?slug=%20')).text).not.toContain('class="chip"');
    // The API stays exact.
    expect((await api('/v1/clients', { body: { name: 'Exact', slug: ' exact ' } })).body.code).toBe('INVALID_BODY');
  });

  test('that has the slug of another object leads to that object, which the account may read', async () => {
    const { api, get, submit } = await newWorld();
    const { body: harbour } = await api('/v1/clients', { body: { name: 'Harbour & Co', slug: 'harbour' } });
    const { body: quay } = await api('/v1/clients', { body: { name: 'Quay' } });
    const { body: north } = await api('/v1/groups', { body: { name: 'Retail North', slug: 'north' } });
    const { body: grace } = await api('/v1/users', { body: { email: 'grace@example.com', role: 'viewer' } });
    const holderIn = ({ text }: Visit) =>
      /<li><a href="#(?:slug|email)">[^<]*<\/a> (<a .*?<\/a>)<\/li>/.exec(text)?.[1];
    const toHarbour = `<a href="/console/clients/${harbour.id}">Open the client <bdi>Harbour &amp; Co</bdi></a>`;
    expect(holderIn(await submit('/console/clients/new', { name: 'New', slug: 'harbour' }))).toBe(toHarbour);
    expect(holderIn(await submit(`/console/clients/${quay.id}/edit`, { slug: 'harbour' }))).toBe(toHarbour);
    const toNorth = `<a href="/console/groups/${north.id}">Open the group <bdi>Retail North</bdi></a>`;
    expect(holderIn(await submit('/console/groups/new', { name: 'New', slug: 'north' }))).toBe(toNorth);
    const invited = await submit('/console/users/new', { email: ' GRACE@example.com', role: 'viewer' });
    expect(holderIn(invited)).toBe(
      `<a href="/console/users/${grace.id}">Open the user <bdi>grace@example.com</bdi></a>`,
    );
    expect((await get(`/console/clients/${quay.id}/edit`)).text).not.toContain('Open the client');
  });

  test('is not overwritten by a form that was opened before another change', async () => {
    const { api, get, post } = await newWorld();
    const { body: client } = await api('/v1/clients', { body: { name: 'First' } });
    const opened = shownFields(await get(`/console/clients/${client.id}/edit`));
    await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { status: 'inactive' } });
    const refused = await post(`/console/clients/${client.id}/edit`, { ...opened, name: 'Second' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('has changed since you opened the form');
    const again = shownFields(refused);
    expect(again).toMatchObject({ name: 'Second', status: 'active' });
    expect((await api(`/v1/clients/${client.id}`)).body).toMatchObject({ name: 'First', status: 'inactive' });
    await post(`/console/clients/${client.id}/edit`, again);
    expect((await api(`/v1/clients/${client.id}`)).body).toMatchObject({ name: 'Second', status: 'active' });
  });

  test('is changed by one of many forms that are sent at the same time', async () => {
    const { api, get, post } = await newWorld();
    const { body: client } = await api('/v1/clients', { body: { name: 'First' } });
    const opened = shownFields(await get(`/console/clients/${client.id}/edit`));
    const names = Array.from({ length: 8 }, (_, i) => `Save ${i}`);
    const saved = names.map((name) => post(`/console/clients/${client.id}/edit`, { ...opened, name }));
    const statuses = (await Promise.all(saved)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, ...names.slice(1).map(() => 409)]);
  });

  test('is found by a part of its name, in pages, and by the filters of the API', async () => {
    const { api, get } = await newWorld();
    for (let i = 0; i < 30; i++) await api('/v1/clients', { body: { name: `Éclair ${i}` } });
    await api('/v1/clients', { body: { name: 'Needle in the hay', slug: 'needle' } });
    const rows = ({ text }: Visit) =>
      [...text.matchAll(/<a class="row-link" href="[^"]*"><bdi>([^<]*)</g)].map(([, n]) => n);
    expect(rows(await get('/console/clients?search=%20NEEDLE'))).toEqual(['Needle in the hay']);
    const first = await get('/console/clients?search=%C3%A9clair');
    expect(rows(first)).toEqual(Array.from({ length: 25 }, (_, i) => `Éclair ${29 - i}`));
    const older = /href="([^"]*starting_after[^"]*)">Older/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await get(older);
    expect(rows(second)).toEqual(['Éclair 4', 'Éclair 3', 'Éclair 2', 'Éclair 1', 'Éclair 0']);
    const newer = /href="([^"]*ending_before[^"]*)">Newer/.exec(second.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(rows(await get(newer))).toEqual(rows(first));
    expect(rows(await get('/console/clients?slug=needle'))).toEqual(['Needle in the hay']);
    const none = await get('/console/clients?search=nowhere');
    expect(none.text).toContain('No client matches');
    expect((await get('/console/clients?slug=needle')).text).toContain('plat clients list --slug needle');
  });

  test('is listed without a filter that is refused, whose error and text are beside the field', async () => {
    const { api, get } = await newWorld();
    await api('/v1/clients', { body: { name: 'Harbour', slug: 'harbour' } });
    const choice = await get('/console/clients?status=nonsense&slug=harbour');
    expect(choice.status).toBe(200);
    const words = expect.stringMatching(/^Status must be one of .*\. The list is shown without this filter\.$/);
    expect(problemsIn(choice)).toEqual({ 'filter-status': words });
    expect(choice.text).toContain('<option value="nonsense" selected>nonsense</option>');
    expect(choice.text).toContain('Remove filter');
    expect(choice.text).toContain('<bdi>Harbour</bdi>');

    const typed = await get(`/console/requests?credential_id=${encodeURIComponent('"><b>')}&outcome=x&since=yesterday`);
    expect(typed.status).toBe(200);
    expect(Object.keys(problemsIn(typed))).toEqual(['filter-outcome', 'filter-credential_id', 'filter-since']);
    expect(typed.text).toContain('name="credential_id" value="&quot;&gt;&lt;b&gt;"');
    expect((await get('/console/audit/export.csv?actor_id=nonsense')).text).not.toContain('created_at');
    expect((await get('/console/clients?status=nonsense&starting_after=nonsense')).text).toContain('Go back');
  });

  test('shows its groups, newest first, and how it joins one', async () => {
    const { api, get } = await newWorld();
    const { body: client } = await api('/v1/clients', { body: { name: 'Joiner' } });
    const path = `/console/clients/${client.id}/groups`;
    expect((await get(path)).text).toContain(`plat groups members add grp_… --client-id ${client.id}`);
    for (const name of ['Early', 'Other', 'Late']) {
      const { body: group } = await api('/v1/groups', { body: { name } });
      if (name === 'Other') continue;
      await api(`/v1/groups/${group.id}/members`, { body: { client_id: client.id } });
    }
    const names = [...(await get(path)).text.matchAll(/href="\/console\/groups\/grp_\w+"><bdi>(\w+)</g)];
    expect(names.map(([, name]) => name)).toEqual(['Late', 'Early']);
    expect((await get(`${path}?starting_after=nonsense`)).status).toBe(400);
  });

  test('that is the first one is created with a command that can be pasted', async () => {
    const { server } = story;
    const tenant = await server.createTenant();
    const { get } = openConsole(server, await server.signInAdmin(tenant.ownerId));
    const { text } = await get('/clients');
    expect(text).toContain('No clients yet');
    expect(text).toContain('plat clients create --name Acme');
  });

  test('shows its locations, users, events, requests and audit entries', async () => {
    const { api, get } = await newWorld();
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const own = `/console/clients/${client.id}`;
    await api(`/v1/clients/${client.id}/locations`, { body: { name: 'Main store', country: 'DE' } });
    const email = 'lin@example.com';
    await api('/v1/users', { body: { email, role: 'viewer', client_id: client.id } });
    const refused = await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { slug: 'No' } });
    expect((await get(own)).text).toContain('Main store');
    expect((await get(`${own}/users`)).text).toContain(email);
    expect((await get(`${own}/users`)).text).toContain(`/console/users/new?client_id=${client.id}`);
    expect((await get(`${own}/events`)).text).toContain('client.created');
    expect((await get(`${own}/audit`)).text).toContain('client.created');
    const requestId = refused.headers.get('x-request-id') ?? '';
    await expect.poll(async () => (await get(`${own}/requests`)).text).toContain(`/console/requests/${requestId}`);
    expect((await get(`${own}/events`)).text).not.toContain('user.invited');
  });
});

describe('a location in the console', () => {
  test('is created below its client, becomes the default, and is protected like in the API', async () => {
    const { api, get, post, submit } = await newWorld();
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const list = `/console/clients/${client.id}/locations`;
    const first = landed(await submit(`${list}/new`, { name: 'Hafen', country: 'de', address: 'Kai 1\r\nHamburg' }));
    const second = landed(await submit(`${list}/new`, { name: 'Altona', country: 'DE' }));
    const read = async (path: string) => (await api(`/v1${path.replace('/console', '')}`)).body;
    expect(await read(first)).toMatchObject({ address: 'Kai 1\nHamburg', country: 'DE', default: true });
    expect(landed(await submit(`${second}/edit`, { default: 'on' }))).toBe(second);
    expect(await read(first)).toMatchObject({ default: false });
    const { default: _ticked, ...cleared } = shownFields(await get(`${second}/edit`));
    const refused = await post(`${second}/edit`, cleared);
    expect(refused.status).toBe(422);
    expect(problemsIn(refused)['default']).toMatch(/^The default location cannot be cleared/);
    const kept = await post(`${second}/delete`);
    expect(kept.status).toBe(422);
    expect(kept.text).toContain('The default location cannot be deleted');
    expect(landed(await post(`${first}/delete`))).toBe(list);
    expect((await get(first)).status).toBe(404);
    // The path of another owner does not lead to it.
    const { body: other } = await api('/v1/clients', { body: { name: 'Other' } });
    expect((await get(second.replace(client.id, other.id))).status).toBe(404);
  });
});

describe('the client of a user', () => {
  test('is chosen by its name, its slug or its id, without script', async () => {
    const { developer, api, get, submit } = await newWorld();
    const { body: first } = await api('/v1/clients', { body: { name: 'Café Nordlicht', slug: 'nordlicht' } });
    // More clients than the form suggests.
    await insertClients(developer.tenantId, 120);
    const form = await get('/console/users/new');
    expect(form.text).toContain('You can also enter its name or slug.');
    expect(form.text).not.toContain('Café Nordlicht');
    const created = ['café nordlicht ', 'nordlicht', ` ${first.id} `].map(async (client_id, n) => {
      const invited = await submit('/console/users/new', { email: `u${n}@example.com`, role: 'viewer', client_id });
      return (await api(`/v1/users/${landed(invited).split('/').at(-1)}`)).body.client_id;
    });
    expect(await Promise.all(created)).toEqual([first.id, first.id, first.id]);

    const { body: users } = await api('/v1/users?email=u0@example.com');
    const own = `/console/users/${users.data[0].id}`;
    const edited = await get(`${own}/edit`);
    expect(edited.text).toContain(`Currently <a href="/console/clients/${first.id}"><bdi>Café Nordlicht</bdi></a>.`);
    expect(landed(await submit(`${own}/edit`, { client_id: 'Client 7' }))).toBe(own);
    expect((await get(own)).text).toContain('Client 7');
    expect(landed(await submit(`${own}/edit`, { client_id: '' }))).toBe(own);
    expect((await api(`/v1/users/${users.data[0].id}`)).body.client_id).toBeNull();
  });

  test('is asked for again if several clients have the name, or none', async () => {
    const { api, submit } = await newWorld();
    const { body: north } = await api('/v1/clients', { body: { name: 'Harbour', slug: 'harbour-north' } });
    const { body: south } = await api('/v1/clients', { body: { name: 'Harbour', slug: 'harbour-south' } });
    const { body: third } = await api('/v1/clients', { body: { name: 'Third', slug: 'harbour' } });
    const invite = (client_id: string) =>
      submit('/console/users/new', { email: 'unclear@example.com', role: 'viewer', client_id });
    const ones = [`${south.id} (harbour-south)`, `${north.id} (harbour-north)`];
    const cases: readonly [string, readonly string[]][] = [
      ['Harbour', ones],
      // The slug of one client is the name of others.
      ['harbour', [`${third.id} (harbour)`, ...ones]],
    ];
    for (const [entered, meant] of cases) {
      const several = await invite(entered);
      expect([several.status, problemsIn(several)['client_id']]).toEqual([
        400,
        `Client can mean several clients. Enter the id of one: ${meant.join(', ')}.`,
      ]);
      expect(shownFields(several)).toMatchObject({ client_id: entered, email: 'unclear@example.com' });
    }
    const none = await invite('Nowhere');
    expect([none.status, problemsIn(none)['client_id']]).toEqual([
      400,
      'Client must be the id, the slug or the name of a client.',
    ]);
    expect((await invite(`cli_${'0'.repeat(26)}`)).status).toBe(404);
    expect((await api('/v1/users')).body.data.map(({ email }: { email: string }) => email)).not.toContain(
      'unclear@example.com',
    );
    expect((await invite(third.id)).status).toBe(303);
  });

  test('is asked for by id or slug where an older client could have the name', async () => {
    const { developer, submit } = await newWorld();
    await insertClients(developer.tenantId, 1_001);
    const invite = (client_id: string) =>
      submit('/console/users/new', { email: 'many@example.com', role: 'viewer', client_id });
    const refusal = 'Client can be the name of a client beyond the newest 1,000. Enter an id or a slug';
    expect(problemsIn(await invite('Client 0'))['client_id']).toBe(`${refusal}.`);
    expect(problemsIn(await invite('Client 7'))['client_id']).toMatch(
      new RegExp(`^${refusal}, such as cli_\\w+ \\(client-7\\)\\.$`),
    );
    expect((await invite('client-0')).status).toBe(303);
  });

  test('joins a group by its name', async () => {
    const { api, submit } = await newWorld();
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const { body: group } = await api('/v1/groups', { body: { name: 'Retail' } });
    const path = `/console/groups/${group.id}/members`;
    expect(landed(await submit(`${path}/new`, { client_id: 'ACME' }))).toBe(path);
    expect((await api(`/v1/groups/${group.id}/members`)).body.data).toMatchObject([{ client_id: client.id }]);
  });
});

async function insertClients(tenantId: string, count: number): Promise<void> {
  const { db } = story.server;
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ tenant_id: tenantId, id: newId('client', now + n), name: `Client ${n}`, slug: `client-${n}` },
    ...{ custom_domain: null, status: 'active' as const, created_at: now, updated_at: now },
  }));
  await unitOfWork(db, (transaction) => db.models.client.bulkCreate(rows, { transaction }));
}

describe('a group in the console', () => {
  test('gets members and owners, and loses them', async () => {
    const { api, get, post, submit } = await newWorld();
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const path = landed(await submit('/console/groups/new', { name: 'Retail', membership_policy: 'closed' }));
    const id = path.split('/').at(-1);
    expect((await api(`/v1/groups/${id}`)).body).toMatchObject({ slug: 'retail', membership_policy: 'closed' });

    expect(landed(await submit(`${path}/members/new`, { client_id: client.id }))).toBe(`${path}/members`);
    const twice = await submit(`${path}/members/new`, { client_id: client.id });
    expect([twice.status, problemsIn(twice)['client_id']]).toEqual([
      409,
      'The client is a member of the group already.',
    ]);
    expect((await get(path)).text).toContain(`href="/console/clients/${client.id}"`);
    expect(landed(await submit(`${path}/owners/new`, { email: 'owner@example.com' }))).toBe(`${path}/owners`);
    const owners = await api(`/v1/groups/${id}/owners`);
    expect((await get(`${path}/owners`)).text).toContain('owner@example.com');

    expect((await get(`${path}/members/${client.id}/delete`)).text).toContain(client.id);
    expect(landed(await post(`${path}/members/${client.id}/delete`))).toBe(`${path}/members`);
    expect(landed(await post(`${path}/owners/${owners.body.data[0].user_id}/delete`))).toBe(`${path}/owners`);
    expect((await api(`/v1/groups/${id}`)).body).toMatchObject({ member_count: 0 });
    expect((await api(`/v1/groups/${id}/owners`)).body.data).toEqual([]);
    expect((await post(`${path}/members/${client.id}/delete`)).status).toBe(404);
    const types = typesOf(await api(`/v1/webhooks/events?object_id=${id}`));
    expect(types).toContain('group.owner_removed');
    expect(landed(await post(`${path}/delete`))).toBe('/console/groups');
  });
});

test('members of a group are found by a part of name or slug, owners by their email, with few statements', async () => {
  const { api, get } = await newWorld();
  const { body: group } = await api('/v1/groups', { body: { name: 'Retail' } });
  const own = `/console/groups/${group.id}`;
  const names = ['Needle & Söhne', ...Array.from({ length: 30 }, (_, i) => `Éclair ${i}`), 'Outside needle'];
  for (const name of names) {
    const { body: client } = await api('/v1/clients', { body: { name } });
    if (!name.startsWith('Outside')) await api(`/v1/groups/${group.id}/members`, { body: { client_id: client.id } });
  }
  for (const email of ['needle@example.com', 'other@example.com']) {
    await api(`/v1/groups/${group.id}/owners`, { body: { email } });
  }
  const rows = ({ text }: Visit) =>
    [...text.matchAll(/<a class="row-link" href="[^"]*"><bdi>([^<]*)</g)].map(([, name]) => name);
  expect(rows(await get(`${own}/members?search=%20NEEDLE`))).toEqual(['Needle &amp; Söhne']);
  expect(rows(await get(`${own}/members?search=e-sohne`))).toEqual(['Needle &amp; Söhne']);
  const first = await get(`${own}/members?search=%C3%A9clair`);
  expect(rows(first)).toEqual(Array.from({ length: 25 }, (_, i) => `Éclair ${29 - i}`));
  const older = /href="([^"]*starting_after[^"]*)">Older/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(rows(await get(older))).toEqual(['Éclair 4', 'Éclair 3', 'Éclair 2', 'Éclair 1', 'Éclair 0']);
  const none = (await get(`${own}/members?search=nowhere`)).text;
  expect(none).toContain('No member matches');
  expect(none).toContain('value="nowhere" placeholder="Name, slug"');
  expect(rows(await get(`${own}/owners?search=NEEDLE`))).toEqual(['needle@example.com']);
  for (const query of ['', '?search=needle', '?search=%C3%A9clair']) {
    const plans = await plansOf(story.server, () => get(`${own}/members${query}`));
    expect(plans.filter(([statement]) => /FROM group_members/.test(statement))).toHaveLength(1);
    expect(plans.filter(([statement]) => /^SELECT [^(]* FROM clients /.test(statement))).toEqual([]);
    for (const [statement, plan] of plans) expect(plan, statement).not.toMatch(BAD_PLAN);
  }
});

test('hints of forms are words for a person, and say how a value is written and what an empty field means', async () => {
  const { api, get } = await newWorld();
  const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
  const { body: group } = await api('/v1/groups', { body: { name: 'Retail' } });
  const { body: role } = await api('/v1/roles', { body: { name: 'shop', title: 'Shop' } });
  const { body: user } = await api('/v1/users', { body: { email: 'hinted@example.com', role: 'viewer' } });
  const [clients, groups] = [`clients/${client.id}`, `groups/${group.id}`];
  const forms = [
    ...['clients/new', `${clients}/edit`, `${clients}/locations/new`, 'groups/new', `${groups}/edit`],
    ...[
      `${groups}/members/new`,
      `${groups}/owners/new`,
      `${groups}/locations/new`,
      'users/new',
      `users/${user.id}/edit`,
    ],
    ...['roles/new', `roles/${role.id}/edit`, 'settings/edit', 'tenant/edit', 'webhooks/replays/new'],
  ];
  const shown = new Map<string, string>();
  for (const path of forms) {
    const { status, text } = await get(`/console/${path}`);
    expect(status, path).toBe(200);
    for (const [, field, hint = ''] of text.matchAll(/<p class="hint" id="([\w-]+)-hint">(.*?)<\/p>/gs)) {
      const words = hint.replace(/<[^>]*>/g, '');
      shown.set(`${path.replace(/\w{3}_\w{26}/, ':')} ${field}`, words);
      // Words of the API for an absent field and for its values, and a hint that repeats its label.
      expect(words, `${path} ${field}`).not.toMatch(/absent|\bnull\b|\btrue\b|alpha-2|\^\[|^\w+ of the \w+\.$/);
    }
  }
  expect(shown.get('clients/new name')).toBe(undefined);
  expect(Object.fromEntries(shown)).toMatchObject({
    'clients/new slug':
      'Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant; derived from the name by default.',
    'clients/:/locations/new country': 'Two-letter code of the country, such as DE (ISO 3166-1).',
    'clients/:/locations/new timezone':
      'IANA name of the time zone, such as Europe/Berlin; by default that of the tenant&#39;s settings.',
    'groups/new membership_policy':
      'Policy that determines which clients may join on their own; Invite only by default.',
    'users/new role': expect.stringMatching(
      /^Role of the user: Owner, Member, Viewer, Client administrator or a custom role\. /,
    ),
    'settings/edit launch_token_ttl_seconds': 'Lifetime of a launch token in seconds. From 60 to 3600.',
    'webhooks/replays/new select': expect.stringContaining('Failed: events whose last delivery'),
  });
});

test('the message after a change names what was changed, not the group or client of the page', async () => {
  const { api, get, post, submit } = await newWorld();
  const { body: client } = await api('/v1/clients', { body: { name: 'Acme & Söhne' } });
  const { body: group } = await api('/v1/groups', { body: { name: 'Retail' } });
  const own = `/console/groups/${group.id}`;
  const told = (visit: Visit) => messageOf(get, visit);
  expect(await told(await submit(`${own}/members/new`, { client_id: client.id }))).toBe('Client added to the group.');
  expect(await told(await submit(`${own}/owners/new`, { email: 'mary@example.com' }))).toBe('Owner invited.');
  const { body: owners } = await api(`/v1/groups/${group.id}/owners`);
  expect(await told(await post(`${own}/owners/${owners.data[0].user_id}/delete`))).toBe('Owner removed.');
  // The page of a client leads to the same change.
  const listed = (await get(`/console/clients/${client.id}/groups`)).text;
  expect(listed).toContain(`href="${own}/members/${client.id}/delete">Remove from group<`);
  const confirmed = (await get(`${own}/members/${client.id}/delete`)).text;
  expect(confirmed).toContain('<bdi>Acme &amp; Söhne</bdi>');
  expect(await told(await post(`${own}/members/${client.id}/delete`))).toBe('Client removed from the group.');

  const locations = `/console/clients/${client.id}/locations`;
  const names = ['Hafen', 'Altona'];
  const paths: string[] = [];
  for (const name of names) paths.push(landed(await submit(`${locations}/new`, { name, country: 'DE' })));
  expect(await told(await post(`${paths[1]}/delete`))).toBe('Location deleted.');
  expect(await told(await submit(`/console/clients/${client.id}/edit`, { name: 'Acme' }))).toBe('Saved.');
  const user = await submit('/console/users/new', { email: 'zoe@example.com', role: 'viewer' });
  expect(await told(user)).toBe('Invitation sent.');
  expect(await told(await submit('/console/groups/new', { name: 'South' }))).toBe('Group created.');
  expect(await told(await post(`${own}/delete`))).toBe('Group deleted.');
});

test('a name stands where another object refers to it, and leads to its page', async () => {
  const { developer, api, get } = await newWorld();
  const { body: client } = await api('/v1/clients', { body: { name: 'Acme & Söhne' } });
  const body = { name: 'Hafen', country: 'DE', address: 'Lindenstraße 12, Berlin' };
  const { body: location } = await api(`/v1/clients/${client.id}/locations`, { body });
  const own = `/console/clients/${client.id}`;
  const named = `<a href="${own}"><bdi>Acme &amp; Söhne</bdi></a>`;
  expect((await get(`${own}/locations/${location.id}`)).text).toContain(`<dt>Client</dt><dd>${named}</dd>`);
  expect((await get('/console/settings')).text).toMatch(
    /<dt>Plan<\/dt><dd><a href="\/console\/plans"><bdi>\w+<\/bdi><\/a>/,
  );
  // The jump box suggests the location by its address, and leads to its trace.
  const traced = (await get(`/console/trace?id=${location.id}`)).text;
  expect(traced).toContain('<bdi>Hafen</bdi>');
  expect(traced).toContain(`href="${own}/locations/${location.id}">Open location<`);
  expect((await get('/console/trace?id=acme-sohne')).text).toContain(`href="${own}">Open client<`);

  // The audit trail names who made a change, and what it changed.
  const { server } = story;
  const app = await server.createApp();
  const { tokens } = await server.grantTokens({ app, tenantId: developer.tenantId });
  await apiOf(server.baseUrl, tokens.access_token)(own.replace('/console', '/v1'), {
    method: 'PATCH',
    body: { name: 'Renamed' },
  });
  const { body: log } = await api('/v1/requests?operation=clients.update');
  const request = (await get(`/console/requests/${log.data[0].id}`)).text;
  expect(request).toMatch(/<dt>App<\/dt><dd><bdi>App \w+<\/bdi> <span class="mono">app_/);
  const { body: trail } = await api(`/v1/audit/events?target_id=${client.id}`);
  const [{ id: changeId, actor }] = trail.data;
  const { body: key } = await api('/v1/audit/events?action=client.created');
  expect(key.data[0].actor.type).toBe('api_key');
  const list = (await get(`${own}/audit`)).text;
  expect(list).toMatch(/OAuth app <span class="wide muted"><bdi>App \w+<\/bdi>/);
  expect(list).toMatch(/API key <span class="wide muted"><bdi>plat_test_\.\.\.\w+<\/bdi>/);
  // The list beside an entry is still that of the client.
  expect(list).toContain(`href="/console/audit/${changeId}?target_id=${client.id}"`);
  expect((await get(`${own}/events`)).text).toContain(`?object_id=${client.id}"`);
  const entry = (await get(`/console/audit/${changeId}`)).text;
  expect(entry).toMatch(/<dt>Actor<\/dt><dd>OAuth app <bdi>App \w+<\/bdi>/);
  expect(entry).toContain(`client <a href="${own}"><bdi>Renamed</bdi></a>`);
  const { text: consents } = await get('/console/consents');
  const consent = /href="(\/console\/consents\/gra_\w+)"/.exec(consents)?.[1] ?? '';
  expect((await get(consent)).text).toContain(`href="/console/audit?actor_id=${actor.id}">`);
  await api(own.replace('/console', '/v1'), { method: 'DELETE' });
  expect((await get(`/console/trace?id=${client.id}`)).text).not.toContain('Open client');
});

test('the form of a user says which pages of the console a role has', async () => {
  const { get } = await newWorld();
  const words =
    'owners have every page. Members read all but Audit, API key, Apps with access and Billing. Other roles have Overview and Modules.';
  expect((await get('/console/users/new')).text).toContain(words);
  const own = Object.entries(ACCESS).filter(([, { owner }]) => owner !== 'none');
  const without = (who: 'member' | 'viewer' | 'other') =>
    own.filter(([, room]) => room[who] === 'none').map(([room]) => room);
  expect(without('member').sort()).toEqual(['audit', 'billing', 'consents', 'key']);
  const others = own.map(([room]) => room).filter((room) => !/^(?:home|modules|account)$/.test(room));
  for (const who of ['viewer', 'other'] as const) expect(without(who)).toEqual(others);
});

test('a form says “Default” where an empty choice is a value of the API', async () => {
  const { get } = await newWorld();
  expect((await get('/console/groups/new')).text).toContain('<option value="" selected>Default</option>');
  expect((await get('/console/webhooks/replays/new')).text).not.toContain('>None</option>');
});

describe('a user in the console', () => {
  test('is invited, gets another role by the signed-in owner, and is deactivated', async () => {
    const { server } = story;
    const tenant = await server.createTenant();
    const { get, post, submit } = openConsole(server, await server.signInAdmin(tenant.ownerId));
    const path = landed(await submit('/users/new', { email: 'ada@example.com', role: 'member', name: 'Ada' }));
    const id = path.split('/').at(-1) ?? '';
    const invitations = async () => (await server.mails()).filter(({ to }) => to === 'ada@example.com').length;
    expect(await invitations()).toBe(1);
    expect(landed(await post(`${path}/invite`))).toBe(path);
    expect(await invitations()).toBe(2);
    expect((await get(path)).text).toContain('Withdraw invitation');
    await execute(server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id });
    expect(landed(await submit(`${path}/edit`, { role: 'owner' }))).toBe(path);
    const events = await get(`${path}/events`);
    expect(events.text).toContain('user.role_changed');
    const change = /href="(\/events\/evt_\w+)\?object_id=\w+">user\.role_changed/.exec(events.text)?.[1] ?? '';
    expect((await get(change)).text).toContain(`&quot;${tenant.ownerId}&quot;`);
    expect(landed(await post(`${path}/deactivate`))).toBe(path);
    expect((await get(path)).text).toContain('Suspended');
    const last = await post(`/users/${tenant.ownerId}/deactivate`);
    expect(last.status).toBe(422);
    expect(last.text).toContain('The user is the last active owner');
    const withdrawn = await post(`${path}/delete`);
    expect(withdrawn.text).toContain('the record is kept for audit');
  });
});

describe('roles and settings in the console', () => {
  test('are created and changed; a built-in role has no form', async () => {
    const { api, get, post, submit } = await newWorld();
    const { body: modules } = await api('/v1/modules/catalog');
    const [one, two] = modules.data.flatMap(({ capabilities }: { capabilities: string[] }) => capabilities);
    const fields = { name: 'shop_manager', title: 'Shop manager', [`capabilities.${one}`]: 'on' };
    const path = landed(await submit('/console/roles/new', fields));
    const read = async () => (await api(path.replace('/console', '/v1'))).body;
    expect(await read()).toMatchObject({ name: 'shop_manager', description: null, capabilities: [one] });
    expect(landed(await submit(`${path}/edit`, { [`capabilities.${two}`]: 'on', description: 'Runs a shop.' }))).toBe(
      path,
    );
    expect(await read()).toMatchObject({ description: 'Runs a shop.', capabilities: [one, two].sort() });
    const { body: roles } = await api('/v1/roles');
    const builtIn = roles.data.find(({ built_in }: { built_in: boolean }) => built_in);
    expect((await get(`/console/roles/${builtIn.id}`)).text).not.toContain('>Edit</a>');
    const refused = await submit(`/console/roles/${builtIn.id}/edit`, { title: 'Mine' });
    expect([refused.status, refused.text.includes('is built in')]).toEqual([422, true]);
    expect((await post('/console/roles/new', { name: 'x', title: 'X', 'capabilities.none:such': 'on' })).status).toBe(
      400,
    );
  });

  test('are the settings of the tenant and its name', async () => {
    const { api, get, submit } = await newWorld();
    expect(landed(await submit('/console/settings/edit', { launch_token_ttl_seconds: '120' }))).toBe(
      '/console/settings',
    );
    expect((await api('/v1/settings')).body).toMatchObject({ launch_token_ttl_seconds: 120 });
    const refused = await submit('/console/settings/edit', { launch_token_ttl_seconds: '9', default_timezone: 'Moon' });
    expect(Object.keys(problemsIn(refused)).sort()).toEqual(['default_timezone', 'launch_token_ttl_seconds']);
    expect(landed(await submit('/console/tenant/edit', { name: 'Renamed' }))).toBe('/console/settings');
    expect((await api('/v1/tenant')).body).toMatchObject({ name: 'Renamed' });
    const page = await get('/console/settings/audit');
    expect(page.text).toContain('settings.updated');
    expect(page.text).toContain('<dt>Launch token lifetime seconds</dt><dd>120</dd>');
  });
});

test('forms of groups, their locations, invited users and replays work as plain posts', async () => {
  const { server } = story;
  const { developer, api, get, submit, post } = await newWorld();
  const group = landed(await submit('/console/groups/new', { name: 'North' }));
  expect(landed(await submit(`${group}/edit`, { name: 'Far north' }))).toBe(group);
  expect((await get(group)).text).toContain('Far north');
  const location = landed(await submit(`${group}/locations/new`, { name: 'Hafen', country: 'DE' }));
  expect(location).toMatch(new RegExp(`^${group}/locations/loc_`));
  expect(landed(await submit(`${location}/edit`, { country: 'SE' }))).toBe(location);
  expect((await api(location.replace('/console', '/v1'))).body).toMatchObject({ name: 'Hafen', country: 'SE' });
  // The first one is the default, which cannot be deleted.
  const other = landed(await submit(`${group}/locations/new`, { name: 'Kai', country: 'DE' }));
  expect(landed(await submit(`${other}/delete`))).toBe(`${group}/locations`);
  expect((await get(other)).status).toBe(404);
  const user = landed(await submit('/console/users/new', { email: 'gone@example.com', role: 'viewer' }));
  expect(landed(await submit(`${user}/delete`))).toBe('/console/users');
  expect((await get(user)).status).toBe(404);

  const app = await server.createApp({ developerId: developer.id });
  for (const path of ['/console/webhooks/replays', `/console/apps/${app.appId}/webhooks/replays`]) {
    const replay = landed(await submit(`${path}/new`, { since: '2026-01-01T00:00:00Z' }));
    expect(landed(await post(`${replay}/cancel`))).toBe(replay);
    expect((await get(replay)).text).toContain('Canceled.');
  }
});
