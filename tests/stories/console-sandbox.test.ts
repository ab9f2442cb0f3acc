import { randomBytes } from 'node:crypto';
import { createTestServer, execute, select, selectOne } from '@plat/server/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { acceptInvitation } from '../support/invitation.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

const PRODUCTION = { NODE_ENV: 'production', PLAT_MASTER_KEY: randomBytes(32).toString('base64') };

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

async function newDeveloper(server = story.server) {
  const developer = await signedInDeveloper(server);
  const { cookie, csrfToken } = developer.session;
  const browser = visitor(server.baseUrl, cookie);
  const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    browser.post(`/console/sandbox/${path}`, { _csrf: csrfToken, ...fields });
  return { developer, browser, post, api: apiOf(server.baseUrl, developer.apiKey) };
}

const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? '';
const bodiesOf = (requestId: string) =>
  selectOne<{ request_body: string; response_body: string; request_bytes: number; expires_at: number }>(
    story.server.db,
    'SELECT * FROM request_bodies WHERE request_id = :requestId',
    { requestId },
  );

describe('bodies in the request log', () => {
  test('are kept only after the developer of the sandbox turned it on, and until it is turned off', async () => {
    const { developer, api, browser, post } = await newDeveloper();
    const before = idOf(await api('/v1/clients', { body: { name: 'Before' } }));
    expect((await post('bodies', { captures: 'on' })).location).toBe('/console/sandbox?done=bodies');
    // The form of another tab.
    await post('bodies', { captures: 'on' });
    const during = idOf(await api('/v1/clients', { body: { name: 'During' } }));
    const refused = idOf(await api('/v1/clients', { body: { name: '' } }));
    const app = await story.server.createApp();
    const { tokens } = await story.server.grantTokens({ app, tenantId: developer.tenantId });
    const ofApp = idOf(
      await apiOf(story.server.baseUrl, tokens.access_token)('/v1/clients', { body: { name: 'App' } }),
    );
    await post('bodies', { captures: 'off' });
    const after = idOf(await api('/v1/clients', { body: { name: 'After' } }));
    await api('/v1/requests');
    expect([await bodiesOf(before), await bodiesOf(after)]).toEqual([undefined, undefined]);
    expect(await bodiesOf(during)).toMatchObject({ request_body: '{"name":"During"}' });
    expect(await bodiesOf(ofApp)).toMatchObject({ request_body: '{"name":"App"}' });
    for (const path of [`/console/requests/${during}`, `/console/trace?id=${during}`]) {
      const { text } = await browser.get(path);
      expect(text, path).toContain('Request body');
      expect(text, path).toContain('During');
      expect(text, path).toContain('Response body');
    }
    expect((await browser.get(`/console/requests/${refused}`)).text).toContain('INVALID_BODY');
    const { body: trail } = await api('/v1/audit/events?action=sandbox.body_capture_changed');
    expect(trail.data.map(({ actor }: { actor: { id: string } }) => actor.id)).toEqual([developer.id, developer.id]);
  });

  test('are redacted before they are cut at 16 KiB', async () => {
    const { api, post, browser, developer } = await newDeveloper();
    await post('bodies', { captures: 'on' });
    const secret = developer.apiKey;
    const endpoint = await api('/v1/webhooks/endpoints', {
      body: { url: 'https://receiver.example', events: ['*'], description: `key ${secret}` },
    });
    const mistaken = await api('/v1/clients', {
      body: { name: 'A', Client_Secret: 'hunter2 "quoted"', password: 'p' },
    });
    // The secret begins before the cut and ends behind it.
    const padded = JSON.stringify({ name: 'A', note: `${'n'.repeat(16 * 1024 - 40)}${secret}` });
    const long = await api('/v1/clients', { body: padded });
    await api('/v1/requests');
    const rows = await select<{ request_body: string; response_body: string }>(
      story.server.db,
      'SELECT request_body, response_body FROM request_bodies WHERE tenant_id = :tenantId',
      { tenantId: developer.tenantId },
    );
    const all = JSON.stringify(rows);
    for (const text of [secret.slice(0, 20), endpoint.body.secret, 'hunter2', 'quoted']) {
      expect(all.includes(text), text.slice(0, 10)).toBe(false);
    }
    expect(await bodiesOf(idOf(mistaken))).toMatchObject({
      request_body: '{"name":"A","Client_Secret":"…","password":"…"}',
    });
    const kept = await bodiesOf(idOf(long));
    expect(kept?.request_bytes).toBe(Buffer.byteLength(padded));
    expect(Buffer.byteLength(kept?.request_body ?? '')).toBeLessThanOrEqual(16 * 1024);
    expect((await browser.get(`/console/requests/${idOf(long)}`)).text).toContain('the first 16384 of');
  });

  test('are shown in no other tenant, and are never kept for a production tenant', async () => {
    const [mine, other] = [await newDeveloper(), await newDeveloper()];
    await mine.post('bodies', { captures: 'on' });
    const id = idOf(await mine.api('/v1/clients', { body: { name: 'Private' } }));
    await mine.api('/v1/requests');
    for (const path of [`/console/requests/${id}`, `/console/trace?id=${id}`]) {
      expect((await other.browser.get(path)).status).toBe(404);
    }
    const production = await story.server.createTenant({ sandbox: false });
    await execute(story.server.db, 'UPDATE tenants SET captures_bodies = 1 WHERE id = :id', {
      id: production.tenantId,
    });
    const live = idOf(await apiOf(story.server.baseUrl, production.apiKey)('/v1/clients', { body: { name: '' } }));
    await apiOf(story.server.baseUrl, production.apiKey)('/v1/requests');
    expect(await bodiesOf(live)).toBeUndefined();
  });

  test('expire after 24 hours, and housekeeping deletes them', async () => {
    const { api, post, browser } = await newDeveloper();
    await post('bodies', { captures: 'on' });
    const id = idOf(await api('/v1/clients', { body: { name: 'Old' } }));
    await api('/v1/requests');
    const { expires_at } = (await bodiesOf(id)) ?? { expires_at: 0 };
    const { body: logged } = await api(`/v1/requests/${id}`);
    expect(expires_at - Date.parse(logged.created_at)).toBe(24 * 60 * 60_000);
    await execute(story.server.db, 'UPDATE request_bodies SET expires_at = 1 WHERE request_id = :id', { id });
    expect((await browser.get(`/console/requests/${id}`)).text).not.toContain('Request body');
    expect((await story.server.housekeeping())?.['request_bodies']).toBeGreaterThan(0);
    expect(await bodiesOf(id)).toBeUndefined();
  });
});

describe('the sandbox room', () => {
  test.each(['owner', 'member', 'viewer'])('lets the developer act as %s beside the own session', async (role) => {
    const { developer, browser, post, api } = await newDeveloper();
    expect((await post('act-as', { role })).location).toBe('/');
    const home = await browser.get('/');
    expect(home.status).toBe(200);
    const { body: users } = await api(`/v1/users?role=${role}`);
    expect(users.data.some(({ email }: { email: string }) => home.text.includes(email))).toBe(true);
    expect((await browser.get('/requests')).status).toBe(role === 'viewer' ? 403 : 200);
    expect((await browser.get('/console')).status).toBe(200);
    const { body: trail } = await api('/v1/audit/events?action=user.signed_in');
    expect(trail.data[0].actor).toEqual({ type: 'developer', id: developer.id });
  });

  test('lets the developer act in the own sandbox only, not as the same address in other tenants', async () => {
    const { server } = story;
    const { browser, post, api } = await newDeveloper();
    const other = await newDeveloper();
    const email = `victim-${randomBytes(4).toString('hex')}@example.com`;
    const victim = await server.createTenant({ ownerEmail: email });
    const { body: sampleViewers } = await api('/v1/users?role=viewer');
    await api(`/v1/users/${sampleViewers.data[0].id}/deactivate`, { method: 'POST' });
    await api('/v1/users', { body: { email, role: 'viewer' } });
    expect((await acceptInvitation(server, email)).status).toBe(200);
    const { body: sampleMembers } = await other.api('/v1/users?role=member');
    for (const [role, userId] of [
      ['member', sampleMembers.data[0].id],
      ['viewer', victim.ownerId],
    ]) {
      expect((await post('act-as', { role })).location).toBe('/');
      const { text } = await browser.get('/tenants');
      expect(text.includes(userId), role).toBe(false);
      expect(text).toContain('sign out');
      expect((await browser.post('/tenants', { user_id: userId })).status, role).toBe(404);
    }
  });

  test('refuses to act as a user who does not exist or is not active', async () => {
    const { developer, post, browser } = await newDeveloper();
    expect((await post('act-as', { role: 'client_admin' })).status).toBe(422);
    const sql = "UPDATE users SET status = 'suspended' WHERE tenant_id = :tenantId AND role = 'viewer'";
    await execute(story.server.db, sql, { tenantId: developer.tenantId });
    const { status, text } = await post('act-as', { role: 'viewer' });
    expect([status, text.includes('no active viewer')]).toEqual([422, true]);
    expect((await browser.get('/')).location).toContain('/sign-in');
  });

  test('creates invoices and payments by the rules of billing systems', async () => {
    const { api, post } = await newDeveloper();
    const invoice = { number: 'INV-9', description: 'Seats', amount: '4900', currency: 'EUR', days: '14' };
    expect((await post('invoice', invoice)).location).toBe('/console/sandbox?done=invoice');
    const paid = {
      reference: 'PAY-9',
      invoice_number: 'INV-9',
      amount: '4900',
      currency: 'EUR',
      method: 'card',
      status: 'succeeded',
    };
    expect((await post('payment', paid)).location).toBe('/console/sandbox?done=payment');
    const { body } = await api('/v1/billing/invoices');
    expect(body.data.find(({ number }: { number: string }) => number === 'INV-9')).toMatchObject({
      status: 'paid',
      amount_due: 4900,
      amount_paid: 4900,
    });
    const foreign = await post('payment', { ...paid, reference: 'PAY-10', currency: 'USD' });
    expect([foreign.status, foreign.text.includes('The invoice is in EUR')]).toEqual([422, true]);
    for (const wrong of [{ number: '<b>' }, { amount: 'x' }, { amount: ' ' }, { days: 'soon' }, { days: ' ' }]) {
      const { status, text } = await post('invoice', { ...invoice, ...wrong });
      expect([status, text.includes('<b>')]).toEqual([400, false]);
      // The refused form is open, the others are not.
      expect(text.match(/<details class="more"[^>]*><summary>[^<]*/g)?.slice(0, 2)).toEqual([
        '<details class="more" open><summary>Create an invoice',
        '<details class="more"><summary>Record a payment',
      ]);
    }
  });

  test('moves the clock, and adds faults to the own sandbox, with the rules of the development mode', async () => {
    const server = await createTestServer();
    onTestFinished(() => server.close());
    const [mine, other] = [await newDeveloper(server), await newDeveloper(server)];
    const before = server.clock.now();
    expect((await mine.post('clock', { act: 'advance', seconds: '86400' })).location).toBe(
      '/console/sandbox?done=clock',
    );
    expect(server.clock.now() - before).toBeGreaterThanOrEqual(86_400_000);
    for (const seconds of ['x', ' ']) {
      expect((await mine.post('clock', { act: 'advance', seconds })).status, seconds).toBe(400);
    }
    expect((await mine.post('clock', { act: '../faults' })).status).toBe(404);
    await mine.post('clock', { act: 'reset' });

    const fault = { kind: 'error', value: 'SERVICE_UNAVAILABLE', operation: 'clients.list', times: '2' };
    expect((await mine.post('faults', fault)).location).toBe('/console/sandbox?done=fault');
    expect((await other.api('/v1/clients')).status).toBe(200);
    expect((await mine.api('/v1/clients')).status).toBe(503);
    expect((await mine.browser.get('/console/sandbox')).text).toContain('Remove all faults');
    expect((await other.browser.get('/console/sandbox')).text).not.toContain('Remove all faults');
    await other.post('faults/remove');
    expect((await mine.api('/v1/clients')).status).toBe(503);
    await mine.post('faults', fault);
    await mine.post('faults/remove');
    expect((await mine.api('/v1/clients')).status).toBe(200);
    expect((await mine.post('faults', { ...fault, value: 'NO_SUCH_CODE' })).status).toBe(400);
  });

  test('has no tools of the development mode in production, nor behind a proxy', async () => {
    const production = await createTestServer({ env: PRODUCTION });
    onTestFinished(() => production.close());
    const { browser, post } = await newDeveloper(production);
    const { status, text } = await browser.get('/console/sandbox');
    expect([status, /id="(?:clock|faults|mail)"/.test(text), text.includes('id="act-as"')]).toEqual([200, false, true]);
    expect((await post('clock', { act: 'reset' })).status).toBe(404);
    const local = await newDeveloper();
    const proxied = await local.browser.get('/console/sandbox', { 'x-forwarded-for': '203.0.113.7' });
    expect(/id="(?:clock|faults|mail)"/.test(proxied.text)).toBe(false);
  });
});
