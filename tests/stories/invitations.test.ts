import { ERROR_CODES, HEADERS, isId, LIMITS } from '@plat/contract';
import { execute, select } from '@plat/server/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { invitationToken } from '../support/invitation.ts';
import { useServer } from '../support/story.ts';

let now = Date.now();
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
let api: Api;
let tenantId: string;
/** A visitor at a browser, or a program. Neither has a key. */
let anyone: Api;

beforeEach(async () => {
  const tenant = await story.server.createTenant();
  tenantId = tenant.tenantId;
  api = apiOf(story.server.baseUrl, tenant.apiKey);
  anyone = apiOf(story.server.baseUrl);
});

const PATH = '/invitations/accept';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_PLEASE = { accept: 'application/json' };

let serial = 0;
const invite = async (body: object = {}) => {
  const email = `invited-${++serial}@example.com`;
  const { body: user } = await api('/v1/users', { body: { email, role: 'viewer', ...body } });
  return { user, token: await invitationToken(story.server, user.email) };
};
const accept = (token: string) =>
  anyone(PATH, { body: new URLSearchParams({ token }).toString(), headers: { ...FORM, ...JSON_PLEASE } });
const look = (token: string) => anyone(`${PATH}?token=${encodeURIComponent(token)}`, { headers: JSON_PLEASE });
/** The headers of a browser. */
const visit = async (query: string, form?: string) => {
  const response = await fetch(story.server.baseUrl + PATH + query, {
    redirect: 'manual',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...(form === undefined ? {} : FORM) },
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

describe('the link', () => {
  test.each([true, false])(
    'opens a page that says if the tenant is a sandbox, whose name anyone chooses: %s',
    async (sandbox) => {
      const tenant = await story.server.createTenant({ sandbox });
      const email = `invited-${++serial}@example.com`;
      await apiOf(story.server.baseUrl, tenant.apiKey)('/v1/users', { body: { email, role: 'viewer' } });
      const { html } = await visit(`?token=${await invitationToken(story.server, email)}`);
      expect(html.includes('This tenant is the sandbox of a developer.')).toBe(sandbox);
    },
  );

  test('opens a page that names the inviter, the tenant and the role, with one form', async () => {
    await api('/v1/tenant', { method: 'PATCH', body: { name: '<b>Harbour & Co</b>' } });
    const { user, token } = await invite();
    const { status, html } = await visit(`?token=${token}`);
    expect(status).toBe(200);
    expect(html).toContain('&lt;b&gt;Harbour &amp; Co&lt;/b&gt;');
    expect(html).not.toContain('<b>Harbour');
    expect(html).toContain(user.email);
    expect(html).toContain('Viewer');
    expect(html.match(/<form[^>]*>/g)).toEqual(['<form method="post" action="accept">']);
    expect(html).toContain(`<input type="hidden" name="token" value="${token}">`);
  });

  test('changes nothing, however often it is followed', async () => {
    const { user, token } = await invite();
    for (let i = 0; i < 3; i++) await visit(`?token=${token}`);
    await fetch(`${story.server.baseUrl}${PATH}?token=${token}`, { method: 'HEAD' });
    expect((await api(`/v1/users/${user.id}`)).body).toEqual(user);
    expect((await look(token)).body).toEqual(user);
  });

  test('gives nothing to framers, scripts, caches and other sites', async () => {
    const { token } = await invite();
    for (const { headers } of [await visit(`?token=${token}`), await visit('', `token=${token}`), await visit('')]) {
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = headers.get('content-security-policy');
      expect(policy).toMatch(/^default-src 'none'; /);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src|unsafe|http|\*/);
      expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('set-cookie')).toBeNull();
      expect(isId('request', headers.get(HEADERS.requestId))).toBe(true);
    }
  });

  test('leads to a form that may be sent to this server only', async () => {
    const { token } = await invite();
    const { headers } = await visit(`?token=${token}`);
    expect(headers.get('content-security-policy')).toMatch(/form-action 'self'$/);
  });
});

describe('the button', () => {
  test('activates the user, once', async () => {
    const { user, token } = await invite();
    now += 60_000;
    const { status, html } = await visit('', `token=${token}`);
    expect(status).toBe(200);
    expect(html).toContain(user.email);
    const { body: active } = await api(`/v1/users/${user.id}`);
    const at = new Date(now).toISOString();
    expect(active).toEqual({ ...user, status: 'active', activated_at: at, updated_at: at });

    expectRefusal(await accept(token), 'NOT_FOUND');
    expect((await visit('', `token=${token}`)).status).toBe(404);
    expect((await api(`/v1/users/${user.id}`)).body).toEqual(active);
  });

  test('returns the user to a program, and stores the event and audit event with the user as the actor', async () => {
    const { user, token } = await invite();
    const { status, headers, body } = await accept(token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await api(`/v1/users/${user.id}`)).body).toEqual(body);

    const [event] = (await api('/v1/webhooks/events?type=user.activated')).body.data;
    expect(event).toMatchObject({ type: 'user.activated', tenant_id: tenantId, data: body, created: body.updated_at });
    const [kept] = (await api(`/v1/audit/events?target_id=${user.id}`)).body.data;
    expect(kept).toMatchObject({
      action: 'user.activated',
      actor: { type: 'user', id: user.id },
      target: { type: 'user', id: user.id },
      changes: { status: { before: 'invited', after: 'active' }, activated_at: { before: null } },
      request_id: headers.get(HEADERS.requestId),
    });
    expect((await api(`/v1/audit/events?actor_id=${user.id}`)).body.data).toEqual([kept]);
  });

  test('makes the user an owner of the groups that they were invited to own', async () => {
    const { body: group } = await api('/v1/groups', { body: { name: 'North' } });
    const email = `owner-${++serial}@example.com`;
    const { body: owner } = await api(`/v1/groups/${group.id}/owners`, { body: { email } });
    expect(owner.status).toBe('invited');
    expect((await accept(await invitationToken(story.server, email))).status).toBe(200);
    expect((await api(`/v1/groups/${group.id}/owners/${owner.user_id}`)).body.status).toBe('active');
  });

  test('accepts one form with one token and nothing else', async () => {
    const { user, token } = await invite();
    const send = (body: string, headers: Record<string, string> = FORM) =>
      anyone(PATH, { body, headers: { ...headers, ...JSON_PLEASE } });
    expectRefusal(await send(`token=${token}&token=${token}`), 'INVALID_REQUEST', ['token']);
    expectRefusal(await send(''), 'INVALID_REQUEST', ['token']);
    expectRefusal(await send('other=1'), 'INVALID_REQUEST', ['other', 'token']);
    expectRefusal(await send('token='), 'INVALID_REQUEST', ['token']);
    expectRefusal(await send(JSON.stringify({ token }), { 'content-type': 'application/json' }), 'INVALID_REQUEST', [
      '',
    ]);
    expectRefusal(await send(`token=${token}&pad=${'a'.repeat(16 * 1024)}`), 'PAYLOAD_TOO_LARGE');
    expect((await visit('', `token=${token}&token=${token}`)).status).toBe(400);
    expect((await api(`/v1/users/${user.id}`)).body).toEqual(user);
  });
});

describe('an unusable link', () => {
  test('gets the same response for every cause', async () => {
    const used = await invite();
    await accept(used.token);
    const replaced = await invite();
    await api(`/v1/users/${replaced.user.id}/invite`, { method: 'POST' });
    const withdrawn = await invite();
    await api(`/v1/users/${withdrawn.user.id}`, { method: 'DELETE' });
    const expired = await invite();
    now += LIMITS.invitationSeconds * 1000;

    const pages = [];
    const bodies = [];
    for (const { token } of [used, replaced, withdrawn, expired, { token: 'nonsense' }, { token: "' OR 1=1" }]) {
      for (const answer of [await look(token), await accept(token)]) {
        expectRefusal(answer, 'NOT_FOUND');
        bodies.push(JSON.stringify(answer.body));
      }
      const query = `?token=${encodeURIComponent(token)}`;
      for (const { status, html } of [await visit(query), await visit('', query.slice(1))]) {
        expect(status).toBe(404);
        pages.push(html);
      }
    }
    expect(new Set(bodies).size).toBe(1);
    expect(new Set(pages).size).toBe(1);
  });

  test('works until its last millisecond, and is then replaced by a newer one that works', async () => {
    const { user, token } = await invite();
    now += LIMITS.invitationSeconds * 1000 - 1;
    expect((await look(token)).status).toBe(200);
    now += 1;
    expectRefusal(await accept(token), 'NOT_FOUND');
    await api(`/v1/users/${user.id}/invite`, { method: 'POST' });
    expect((await accept(await invitationToken(story.server, user.email))).body.status).toBe('active');
  });

  test('without a token shows nothing', async () => {
    expect((await visit('')).status).toBe(404);
    expect((await visit('?token=a&token=b')).status).toBe(404);
    expectRefusal(await anyone(`${PATH}/`, { headers: JSON_PLEASE }), 'NOT_FOUND');
    expectRefusal(await anyone(PATH, { method: 'DELETE', headers: JSON_PLEASE }), 'NOT_FOUND');
  });
});

test('an invitation to a suspended tenant waits until it is reactivated', async () => {
  const { token } = await invite();
  await story.server.setTenantStatus(tenantId, 'suspended');
  expectRefusal(await look(token), 'TENANT_SUSPENDED');
  expectRefusal(await accept(token), 'TENANT_SUSPENDED');
  const { status, html } = await visit(`?token=${token}`);
  expect(status).toBe(ERROR_CODES.TENANT_SUSPENDED.status);
  expect(html).toContain('suspended');
  // A status that only a newer version has.
  await execute(story.server.db, "UPDATE tenants SET status = 'closing' WHERE id = :tenantId", { tenantId });
  expectRefusal(await accept(token), 'TENANT_SUSPENDED');
  await story.server.setTenantStatus(tenantId, 'active');
  expect((await accept(token)).body.status).toBe('active');
});

test('of many calls that accept one invitation at once exactly one succeeds', async () => {
  const { user, token } = await invite();
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 'NOT_FOUND');
  expect((await api(`/v1/audit/events?target_id=${user.id}&action=user.activated`)).body.data).toHaveLength(1);
});

test('of a token only the hash is stored, and nothing after its use', async () => {
  const { user, token } = await invite();
  const read = () => select(story.server.db, 'SELECT * FROM users WHERE id = :id', { id: user.id });
  expect(JSON.stringify(await read())).not.toContain(token);
  await accept(token);
  expect(await read()).toMatchObject([{ invitation_hash: null, invitation_expires_at: null }]);
});
