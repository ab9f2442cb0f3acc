import { LIMITS } from '@plat/contract';
import { execute, select } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { acceptInvitation } from '../support/invitation.ts';
import { askForLink } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

let now = Date.now();
const { production, sandbox, signIn } = LIMITS.mail;
/** The default limits: a development server has none. */
const limits = (given: Readonly<Record<string, { readonly max: number }>>): string =>
  Object.entries(given)
    .map(([counted, { max }]) => `${counted}=${max}`)
    .join();
const story = useServer({
  clock: () => now,
  env: {
    PLAT_DISPATCH: 'false',
    PLAT_MAIL_LIMITS: limits(production),
    PLAT_SANDBOX_MAIL_LIMITS: limits(sandbox),
    PLAT_SIGN_IN_MAIL_LIMITS: limits(signIn),
    PLAT_TRUSTED_PROXIES: '127.0.0.0/8',
  },
});
const HOUR_MS = 60 * 60 * 1000;

let serial = 0;
const newEmail = () => `mailed-${++serial}@example.com`;
/** Each tenant calls from a different network. */
async function newTenant(options: { sandbox?: boolean } = {}) {
  const tenant = await story.server.createTenant(options);
  const call = apiOf(story.server.baseUrl, tenant.apiKey);
  let network = `198.51.100.${++serial % 250}`;
  const api: typeof call = (path, given = {}) =>
    call(path, { ...given, headers: { 'x-forwarded-for': network, ...given.headers } });
  return { ...tenant, api, moveTo: (address: string) => (network = address) };
}
const mailsTo = async (email: string) => {
  const sql = 'SELECT id FROM mails WHERE recipient = :email';
  return (await select(story.server.db, sql, { email })).length;
};
const created = (email: string) => ({ body: { email, role: 'viewer' } });

describe('one address', () => {
  test('gets few invitations from a sandbox, however often it is invited again', async () => {
    const { api } = await newTenant();
    const email = newEmail();
    const { body: user } = await api('/v1/users', created(email));
    const answers = [];
    for (let i = 0; i < 60; i++) answers.push(await api(`/v1/users/${user.id}/invite`, { method: 'POST' }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(sandbox.recipient.max - 1);
    expect(await mailsTo(email)).toBe(sandbox.recipient.max);
    const refused = answers.at(-1);
    if (refused) expectRefusal(refused, 'MAIL_LIMIT_REACHED');
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60);
    // A refused call leaves nothing: no event, no audit event, and the last link works.
    const { body: events } = await api('/v1/webhooks/events?type=user.invited&limit=100');
    expect(events.data).toHaveLength(sandbox.recipient.max);
    const { body: audit } = await api(`/v1/audit/events?action=user.invited&limit=100`);
    expect(audit.data).toHaveLength(sandbox.recipient.max);
    expect((await acceptInvitation(story.server, email)).status).toBe(200);
  });

  test('is counted over all sandboxes, all kinds of mail and every spelling', async () => {
    const spellings = ['ada@xn--bcher-kva.example', 'ADA@bücher.example', 'ada@BÜCHER.example', 'Ada@bücher。example'];
    let sent = 0;
    for (let i = 0; sent < sandbox.recipient.max; i++) {
      const { api } = await newTenant();
      const email = spellings[i % spellings.length] ?? '';
      const { body: user, status } = await api('/v1/users', created(email));
      expect(status).toBe(201);
      sent++;
      if (sent === sandbox.recipient.max) break;
      await execute(story.server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: user.id });
      const { body: group } = await api('/v1/groups', { body: { name: 'North' } });
      expect((await api(`/v1/groups/${group.id}/owners`, { body: { email } })).status).toBe(201);
      sent++;
    }
    const { api } = await newTenant();
    expectRefusal(await api('/v1/users', created('ada@bücher.example')), 'MAIL_LIMIT_REACHED');
    expect((await api('/v1/users?role=viewer')).body.data).toEqual([]);
    const { body: group } = await api('/v1/groups', { body: { name: 'North' } });
    const owner = await api(`/v1/groups/${group.id}/owners`, { body: { email: 'ada@bücher.example' } });
    expectRefusal(owner, 'MAIL_LIMIT_REACHED');
  });

  test('still gets the invitations of production tenants and sign-in links, and all mails again after the window', async () => {
    const email = newEmail();
    const { api } = await newTenant();
    const { body: user } = await api('/v1/users', created(email));
    const again = () => api(`/v1/users/${user.id}/invite`, { method: 'POST' });
    while ((await again()).status === 200);
    const other = await newTenant({ sandbox: false });
    const { body: colleague, status } = await other.api('/v1/users', created(email));
    expect(status).toBe(201);
    for (let i = 1; i < production.recipient.max; i++) {
      expect((await other.api(`/v1/users/${colleague.id}/invite`, { method: 'POST' })).status).toBe(200);
    }
    expectRefusal(await other.api(`/v1/users/${colleague.id}/invite`, { method: 'POST' }), 'MAIL_LIMIT_REACHED');
    expect((await askForLink(visitor(story.server.baseUrl), email, '/console/sign-in')).status).toBe(303);
    now += sandbox.recipient.seconds * 1000;
    expect((await again()).status).toBe(200);
  });
});

describe('one tenant', () => {
  test('sends a limited number of mails per hour, which a reset of its sandbox does not raise', async () => {
    const { api, tenantId, moveTo } = await newTenant();
    for (let i = 0; i < sandbox.tenant.max; i++) {
      moveTo(`203.0.113.${i}`);
      expect((await api('/v1/users', created(newEmail()))).status).toBe(201);
      // The hour begins with the first mail.
      if (i === 0) now += HOUR_MS / 2;
    }
    expectRefusal(await api('/v1/users', created(newEmail())), 'MAIL_LIMIT_REACHED');
    await story.server.resetSandbox(tenantId);
    const key = await story.server.mintKey(tenantId);
    const renewed = apiOf(story.server.baseUrl, key);
    expectRefusal(await renewed('/v1/users', created(newEmail())), 'MAIL_LIMIT_REACHED');
    now += HOUR_MS / 2;
    expect((await renewed('/v1/users', created(newEmail()))).status).toBe(201);
  });

  test('with calls at the same time is counted exactly', async () => {
    const { api } = await newTenant();
    const emails = Array.from({ length: sandbox.tenant.max + 15 }, newEmail);
    const answers = await Promise.all(emails.map((email) => api('/v1/users', created(email))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(sandbox.tenant.max);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('may send the same request again with its Idempotency-Key', async () => {
    const { api } = await newTenant();
    while ((await api('/v1/users', created(newEmail()))).status === 201);
    const call = { ...created(newEmail()), headers: { 'idempotency-key': 'again' } };
    expectRefusal(await api('/v1/users', call), 'MAIL_LIMIT_REACHED');
    // Before the key expires.
    now += HOUR_MS;
    expect((await api('/v1/users', call)).status).toBe(201);
  });
});

test('one network sends a limited number of mails per hour, over all sandboxes', async () => {
  const inNetwork = (last: number) => `2001:db8:1:2::${last.toString(16)}`;
  let sent = 0;
  while (sent < sandbox.network.max) {
    const { api, moveTo } = await newTenant();
    for (let i = 0; i < 20 && sent < sandbox.network.max; i++) {
      moveTo(inNetwork(++sent));
      expect((await api('/v1/users', created(newEmail()))).status).toBe(201);
    }
  }
  const { api, moveTo, ownerId } = await newTenant();
  moveTo(inNetwork(9999));
  expectRefusal(await api('/v1/users', created(newEmail())), 'MAIL_LIMIT_REACHED');
  const { cookie, csrfToken: _csrf } = await story.server.signInAdmin(ownerId);
  const form = { _csrf, email: newEmail(), role: 'viewer' };
  const { origin } = new URL(story.server.baseUrl);
  const headers = { 'sec-fetch-site': 'same-origin', origin, 'x-forwarded-for': inNetwork(9998) };
  expect((await visitor(story.server.baseUrl, cookie).post('/users/new', form, headers)).status).toBe(429);
  moveTo('2001:db8:1:3::1');
  expect((await api('/v1/users', created(newEmail()))).status).toBe(201);
});

test('sign-in links to one address are refused alike for known and unknown addresses, in every spelling', async () => {
  const known = newEmail();
  await story.server.createTenant({ ownerEmail: known });
  const answers = [];
  for (const email of [known, newEmail()]) {
    const [local, domain = ''] = email.split('@');
    for (let i = 0; i < signIn.recipient.max; i++) {
      const typed = i % 2 === 0 ? email : `${local?.toUpperCase()}@${domain.replace('e', 'Ｅ')}`;
      expect((await askForLink(visitor(story.server.baseUrl), typed)).status).toBe(303);
    }
    const refused = await askForLink(visitor(story.server.baseUrl), email);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    answers.push(refused.text.replace(/value="[^"]*"/g, ''));
  }
  expect(answers[0]).toContain('try again in 60 min');
  expect(answers[1]).toBe(answers[0]);
});

describe('the subject and the first line', () => {
  const LINKS = ['https://evil.example/pay', 'Pay\r\nat evil.example', 'www evil', 'ｅｖｉｌ．ｅｘａｍｐｌｅ'];

  test.each(LINKS)('of a production tenant that is named %j have no link and name the platform', async (name) => {
    const { api, tenantId } = await newTenant({ sandbox: false });
    // Stored unchanged: control characters are refused today, and rows from before the check contain them.
    await execute(story.server.db, 'UPDATE tenants SET name = :name WHERE id = :tenantId', { name, tenantId });
    const email = newEmail();
    await api('/v1/users', created(email));
    const mail = (await story.server.mails()).find(({ to }) => to === email);
    expect(mail?.subject).toBe('Invitation to a tenant on Plat');
    expect(mail?.text.split('\n', 1)).toEqual(['You are invited to join a tenant on Plat.']);
    expect(mail?.text).toContain(`Platform: ${story.server.baseUrl}`);
    expect(mail?.text).not.toContain('evil');
  });

  test('have the name of a production tenant when it is plain, and never that of a sandbox', async () => {
    const subjects = [];
    for (const isSandbox of [false, true]) {
      const { api } = await newTenant({ sandbox: isSandbox });
      await api('/v1/tenant', { method: 'PATCH', body: { name: 'Your bank: call now' } });
      const email = newEmail();
      await api('/v1/users', created(email));
      subjects.push((await story.server.mails()).find(({ to }) => to === email)?.subject);
    }
    expect(subjects).toEqual([
      'Invitation to Your bank: call now on Plat',
      "Invitation to a developer's sandbox on Plat",
    ]);
  });

  test.each(LINKS)('of the mail to a new owner of a group %j have no link', async (name) => {
    const { api } = await newTenant({ sandbox: false });
    const email = newEmail();
    const { body: user } = await api('/v1/users', created(email));
    await execute(story.server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: user.id });
    const { body: group } = await api('/v1/groups', { body: { name: 'Group', slug: 'g' } });
    await execute(story.server.db, 'UPDATE client_groups SET name = :name WHERE id = :id', { name, id: group.id });
    await api(`/v1/groups/${group.id}/owners`, { body: { email } });
    const mail = (await story.server.mails()).find(({ to, kind }) => to === email && kind === 'group_owner');
    expect(mail?.subject).toBe('You now own a group on Plat');
    expect(mail?.text).not.toContain('evil');
  });
});
