import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { LIMITS } from '@plat/contract';
import { captureStatements, createTestServer, execute, select, selectOne, type TestTenant } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { askForLink, signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';
import { type Visitor, visitor } from '../support/visitor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let now = Date.now();
const { recipient, network } = LIMITS.mail.signIn;
const story = useServer({
  clock: () => now,
  // The default of a development server is no limit.
  env: { PLAT_DISPATCH: 'false', PLAT_SIGN_IN_MAIL_LIMITS: `recipient=${recipient.max},network=${network.max}` },
});
let serial = 0;
const newEmail = () => `person-${++serial}@example.com`;
const newBrowser = (cookie = '') => visitor(story.server.baseUrl, cookie);

/** A tenant with its owner, and the owner's browser. */
async function newOwner(): Promise<TestTenant & { readonly email: string; readonly browser: Visitor }> {
  const email = newEmail();
  return { ...(await story.server.createTenant({ ownerEmail: email })), email, browser: newBrowser() };
}

/** Asks for a link, each time at a different time, so that the order of mails is unique. */
function ask(...args: Parameters<typeof askForLink>) {
  now += 1;
  return askForLink(...args);
}

/** Signs in by the link, up to the choice of a tenant. */
async function signIn(browser: Visitor, email: string, page = '/sign-in', returnTo?: string) {
  await ask(browser, email, page, returnTo);
  const { link, token } = await signInMail(story.server, email);
  await browser.get(link);
  return browser.post(`${page}/link`, { token });
}

const mailsTo = async (email: string) => (await story.server.mails()).filter(({ to }) => to === email).length;
const sessions = () => select<{ account_id: string }>(story.server.db, 'SELECT account_id FROM sessions');
const sessionsOf = async (id: string) => (await sessions()).filter(({ account_id }) => account_id === id).length;

describe('by the link', () => {
  test('a user of a tenant signs in, comes to the requested page, and signs out', async () => {
    const { email, ownerId, tenantId, browser, apiKey } = await newOwner();
    const first = await browser.get('/');
    expect(first).toMatchObject({ status: 303, location: '/sign-in?return_to=%2F' });
    expect(browser.cookies.size).toBe(0);

    const asked = await ask(browser, email, '/sign-in', '/?from=here');
    expect(asked).toMatchObject({ status: 303, location: '/sign-in/code' });
    expect((await browser.follow(asked)).text).toContain(email);
    const { link, token } = await signInMail(story.server, email);
    const page = await browser.get(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<strong>${email}</strong>`);
    const done = await browser.post('/sign-in/link', { token });
    expect(done).toMatchObject({ status: 303, location: '/?from=here' });
    expect(done.headers.getSetCookie().sort()).toEqual([
      expect.stringMatching(/^plat_admin=s%3A[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(
        /^plat_admin_sign_in=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const home = await browser.follow(done);
    for (const text of [email, tenantId, '<dd>Owner</dd>']) expect(home.text).toContain(text);
    const { body: audit } = await apiOf(story.server.baseUrl, apiKey)(`/v1/audit/events?actor_id=${ownerId}`);
    expect(audit.data).toMatchObject([
      { action: 'user.signed_in', target: { type: 'user', id: ownerId }, session_id: expect.stringMatching(/^ses_/) },
    ]);

    const before = browser.cookies.get('plat_admin');
    expect((await browser.get('/sign-out')).status).toBe(404);
    await browser.get('/');
    expect(await browser.post('/sign-out')).toMatchObject({ status: 303, location: '/sign-in' });
    expect(browser.cookies.size).toBe(0);
    // A copy of the old cookie is useless.
    expect((await newBrowser(`plat_admin=${before}`).get('/')).status).toBe(303);
    expect(await sessionsOf(ownerId)).toBe(0);
  });

  test('a page with a very long path is not returned to: its address would not fit into a header', async () => {
    const query = `x=${'%20'.repeat(4_000)}`;
    expect(await newBrowser().get(`/?${query}`)).toMatchObject({ status: 303, location: '/sign-in' });
    expect(await newBrowser().get(`/console?${query}`)).toMatchObject({ status: 303, location: '/console/sign-in' });
  });

  test('a developer signs in, which the first time creates the account and its sandbox', async () => {
    const email = newEmail();
    const browser = newBrowser();
    expect(await browser.get('/console')).toMatchObject({
      status: 303,
      location: '/console/sign-in?return_to=%2Fconsole',
    });
    const done = await signIn(browser, email, '/console/sign-in');
    expect(done.location).toBe('/console');
    const sql = 'SELECT id, tenant_id FROM developers WHERE email = :email';
    const developer = await selectOne<{ id: string; tenant_id: string }>(story.server.db, sql, { email });
    const home = await browser.follow(done);
    expect(home.text).toContain(email);
    expect(home.text).toContain(developer?.tenant_id ?? 'none');
    const clients = 'SELECT id FROM clients WHERE tenant_id = :tenant_id';
    expect(await select(story.server.db, clients, { tenant_id: developer?.tenant_id ?? '' })).toHaveLength(2);

    const again = newBrowser();
    await ask(again, email.toUpperCase(), '/console/sign-in');
    const { link, token } = await signInMail(story.server, email);
    await again.get(link);
    expect((await again.post('/console/sign-in/link', { token })).location).toBe('/console');
    expect(await select(story.server.db, sql, { email })).toHaveLength(1);
    expect(await browser.post('/console/sign-out')).toMatchObject({ location: '/console/sign-in' });
    expect((await browser.get('/console')).status).toBe(303);
  });

  test('two browsers that sign in for the first time at once create one account', async () => {
    const email = newEmail();
    const browsers = [newBrowser(), newBrowser(), newBrowser()];
    const tokens: string[] = [];
    for (const browser of browsers) {
      await ask(browser, email, '/console/sign-in');
      tokens.push((await signInMail(story.server, email)).token);
    }
    const done = await Promise.all(
      browsers.map((one, i) => one.post('/console/sign-in/link', { token: tokens[i] ?? '' })),
    );
    expect(done.map(({ location }) => location)).toEqual(['/console', '/console', '/console']);
    expect(await select(story.server.db, 'SELECT id FROM developers WHERE email = :email', { email })).toHaveLength(1);
  });

  test('the link works once, also when it is used many times at once', async () => {
    const { email, ownerId, browser } = await newOwner();
    await ask(browser, email);
    const { link, token, code } = await signInMail(story.server, email);
    await browser.get(link);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const _csrf = /value="([^"]+)"/.exec((await browser.get(link)).text)?.[1] ?? '';
    const proofs = [{ token }, { token }, { token }, { code }, { code }, { code }];
    const done = await Promise.all(
      proofs.map((proof) =>
        newBrowser(cookie).post(`/sign-in/${'token' in proof ? 'link' : 'code'}`, { ...proof, _csrf }),
      ),
    );
    expect(done.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404, 404]);
    expect(await sessionsOf(ownerId)).toBe(1);
    expect((await newBrowser(cookie).post('/sign-in/link', { token, _csrf })).text).toContain('role="alert"');
  });

  test('the link of a developer works once, too', async () => {
    const email = newEmail();
    const browser = newBrowser();
    await ask(browser, email, '/console/sign-in');
    const copy = newBrowser(`plat_developer_sign_in=${browser.cookies.get('plat_developer_sign_in')}`);
    const { link, token } = await signInMail(story.server, email);
    expect((await copy.get(link)).status).toBe(200);
    await browser.get(link);
    expect((await browser.post('/console/sign-in/link', { token })).status).toBe(303);
    expect((await copy.post('/console/sign-in/link', { token })).status).toBe(404);
    expect((await copy.get(link)).status).toBe(404);
  });

  test('opening the link changes nothing, however often mail scanners open it', async () => {
    const { email, browser } = await newOwner();
    await ask(browser, email);
    const { link, token } = await signInMail(story.server, email);
    const rows = () => select(story.server.db, 'SELECT * FROM sign_in_links');
    const before = await rows();
    for (let i = 0; i < 3; i++) {
      expect((await newBrowser().get(link)).headers.get('set-cookie')).toBeNull();
      await fetch(story.server.baseUrl + link, { method: 'HEAD' });
      await browser.get(link);
    }
    expect(await rows()).toEqual(before);
    expect((await browser.post('/sign-in/link', { token })).status).toBe(303);
  });

  test('in another browser the page reveals nothing, and consumes nothing; the code works in the first one', async () => {
    const { email, browser } = await newOwner();
    await ask(browser, email);
    const { link, token, code } = await signInMail(story.server, email);
    const other = newBrowser();
    const page = await other.get(link);
    expect(page.text).toContain('enter the code');
    expect(page.text).not.toMatch(/<form|@example/);
    expect((await other.get('/sign-in/link?token=nonsense')).text).toBe(page.text);
    expect((await other.get('/sign-in/link')).text).toBe(page.text);
    // Also with a cookie and a form token of that browser.
    await other.get('/sign-in');
    expect((await other.get(link)).status).toBe(404);
    expect((await other.post('/sign-in/link', { token })).status).toBe(404);
    expect((await other.post('/sign-in/code', { code })).status).toBe(404);

    expect((await browser.get('/sign-in/code')).text).toContain('<a href="/_dev/mail">Open the email</a>');
    const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
    expect(await browser.post('/sign-in/code', { code: typed })).toMatchObject({ status: 303, location: '/' });
  });

  test('link and code expire after 15 minutes', async () => {
    const { email, browser } = await newOwner();
    await ask(browser, email);
    const { link, token, code } = await signInMail(story.server, email);
    now += 15 * MINUTE - 1;
    expect((await browser.get(link)).status).toBe(200);
    now += 1;
    expect((await browser.get(link)).status).toBe(404);
    expect((await browser.post('/sign-in/link', { token })).status).toBe(404);
    expect((await browser.post('/sign-in/code', { code })).status).toBe(404);
  });

  test('asking again in the same browser replaces the link; asking in another browser does not', async () => {
    const { email, browser } = await newOwner();
    await ask(browser, email);
    const first = await signInMail(story.server, email);
    await ask(browser, email);
    const second = await signInMail(story.server, email);
    await ask(newBrowser(), email);
    expect((await browser.get(first.link)).status).toBe(404);
    expect((await browser.post('/sign-in/link', { token: first.token })).status).toBe(404);
    await browser.get(second.link);
    expect((await browser.post('/sign-in/link', { token: second.token })).status).toBe(303);
  });
});

describe('by the code', () => {
  test('a few wrong codes invalidate the right one and the link', async () => {
    const { email, browser } = await newOwner();
    await ask(browser, email);
    const { code, token } = await signInMail(story.server, email);
    for (const left of ['4 tries are', '3 tries are', '2 tries are', 'one try is']) {
      const wrong = await browser.post('/sign-in/code', { code: 'ZZZZ-ZZZ9' });
      expect(wrong.status).toBe(422);
      expect(wrong.text).toContain(`${left} left`);
      expect(wrong.text).toContain('aria-invalid="true"');
    }
    expect((await browser.post('/sign-in/code', { code: '' })).status).toBe(404);
    expect((await browser.post('/sign-in/code', { code })).status).toBe(404);
    expect((await browser.post('/sign-in/link', { token })).status).toBe(404);
  });

  test('attempts at the same time are all counted', async () => {
    const { email, browser } = await newOwner();
    await ask(browser, email);
    const { code } = await signInMail(story.server, email);
    await Promise.all(Array.from({ length: 5 }, () => browser.post('/sign-in/code', { code: 'ZZZZ-ZZZ9' })));
    expect((await browser.post('/sign-in/code', { code })).status).toBe(404);
  });
});

describe('asking for a link', () => {
  test('is answered the same, by the same statements, for every address, and mails only users who may sign in', async () => {
    const active = (await newOwner()).email;
    const { apiKey } = await newOwner();
    const invited = newEmail();
    const suspended = newEmail();
    const api = apiOf(story.server.baseUrl, apiKey);
    await api('/v1/users', { body: { email: invited, role: 'viewer' } });
    const { body: user } = await api('/v1/users', { body: { email: suspended, role: 'viewer' } });
    await execute(story.server.db, "UPDATE users SET status = 'suspended' WHERE id = :id", { id: user.id });
    const frozen = await newOwner();
    await story.server.setTenantStatus(frozen.tenantId, 'suspended');

    const answers = [];
    for (const email of [active, newEmail(), invited, suspended, frozen.email]) {
      const browser = newBrowser();
      await browser.get('/sign-in');
      const before = await mailsTo(email);
      let shown = '';
      const statements = await captureStatements(story.server.db, async () => {
        const asked = await browser.post('/sign-in', { email });
        const page = await browser.follow(asked);
        shown = [
          asked.status,
          asked.location,
          page.status,
          page.text.replace(email, '…').replace(/value="[^"]+"/g, ''),
        ].join();
      });
      const kinds = statements.map((statement) => /^\w+ (?:INTO |FROM )?\w+/.exec(statement.replaceAll('`', ''))?.[0]);
      answers.push({ shown, kinds, mailed: (await mailsTo(email)) - before });
    }
    expect(answers.map(({ mailed }) => mailed)).toEqual([1, 0, 0, 0, 0]);
    expect(new Set(answers.map(({ shown }) => shown)).size).toBe(1);
    for (const { kinds } of answers) expect(kinds).toEqual(answers[0]?.kinds);
    expect(answers[0]?.kinds).toContain('DELETE FROM mails');
  });

  test('too often for one address is refused, whether or not the address is known', async () => {
    const addresses = [(await newOwner()).email, newEmail()];
    for (const email of addresses) {
      const browser = newBrowser();
      await browser.get('/sign-in');
      for (let i = 0; i < 10; i++) expect((await browser.post('/sign-in', { email })).status).toBe(303);
      const refused = await browser.post('/sign-in', { email });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.text).toContain('try again in 60 min');
    }
  });

  test('with a malformed address shows the form again', async () => {
    const browser = newBrowser();
    await browser.get('/sign-in');
    const again = await browser.post('/sign-in', { email: '"><b>', return_to: '/somewhere' });
    expect(again.status).toBe(400);
    expect(again.text).toContain('role="alert"');
    expect(again.text).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(again.text).toContain('name="return_to" value="/somewhere"');
  });
});

test.each([
  ['/oauth/authorize?a=b%2Fc&d=%20', '/oauth/authorize?a=b%2Fc&d=%20'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example/', '/'],
])('after signing in, %j leads to %j', async (asked, followed) => {
  const { email, browser } = await newOwner();
  const page = await browser.get(`/sign-in?${new URLSearchParams({ return_to: asked })}`);
  expect(page.text).toContain(`name="return_to" value="${followed.replaceAll('&', '&amp;')}"`);
  // Also when a forged form posts the address.
  expect((await signIn(browser, email, '/sign-in', asked)).location).toBe(followed);
});

describe('a user of several tenants', () => {
  test('sees which of them is a sandbox, whose developer may give it the name of another', async () => {
    const { server } = story;
    const email = 'same-names@example.com';
    const live = await server.createTenant({ ownerEmail: email, sandbox: false });
    const sandbox = await server.createTenant({ ownerEmail: email });
    const modesIn = (text: string) =>
      Object.fromEntries(
        [live, sandbox].map(({ ownerId }) => [
          ownerId,
          new RegExp(`<(label|li) [^>]*>(?:(?!</\\1>).)*value="${ownerId}".*?</\\1>`, 's')
            .exec(text)?.[0]
            .match(/SANDBOX|LIVE/)?.[0],
        ]),
      );
    const browser = newBrowser();
    await ask(browser, email);
    const { link, token } = await signInMail(server, email);
    await browser.get(link);
    const choice = await browser.follow(await browser.post('/sign-in/link', { token }));
    expect(modesIn(choice.text)).toEqual({ [live.ownerId]: 'LIVE', [sandbox.ownerId]: 'SANDBOX' });
    await browser.post('/sign-in/tenant', { user_id: live.ownerId });
    expect(modesIn((await browser.get('/tenants')).text)[sandbox.ownerId]).toBe('SANDBOX');
  });

  test('chooses one of them, under a new secret', async () => {
    const { email, ownerId, browser } = await newOwner();
    // The mail goes to the address as the oldest user has it.
    now += 1;
    const second = await story.server.createTenant({ ownerEmail: email.toUpperCase() });
    const frozen = await story.server.createTenant({ ownerEmail: email });
    await story.server.setTenantStatus(frozen.tenantId, 'suspended');
    const stranger = await newOwner();

    await ask(browser, email, '/sign-in', '/?x=1');
    const askedWith = browser.cookies.get('plat_admin_sign_in') ?? '';
    const { link, token } = await signInMail(story.server, email);
    await browser.get(link);
    const proven = await browser.post('/sign-in/link', { token });
    expect(proven).toMatchObject({ status: 303, location: '/sign-in/tenant' });
    expect(browser.cookies.has('plat_admin')).toBe(false);
    const page = await browser.follow(proven);
    const choices = [...page.text.matchAll(/name="user_id" value="(\w+)"/g)].map(([, id]) => id);
    expect(choices.sort()).toEqual([ownerId, second.ownerId].sort());

    // The cookie from before the proof, which an attacker could have planted, gives no access.
    expect((await newBrowser(`plat_admin_sign_in=${askedWith}`).get('/sign-in/tenant')).status).toBe(404);
    for (const user_id of [stranger.ownerId, frozen.ownerId, '']) {
      expect((await browser.post('/sign-in/tenant', { user_id })).status).toBe(404);
    }
    const done = await browser.post('/sign-in/tenant', { user_id: second.ownerId });
    expect(done).toMatchObject({ status: 303, location: '/?x=1' });
    expect((await browser.follow(done)).text).toContain(second.tenantId);
    expect((await browser.post('/sign-in/tenant', { user_id: second.ownerId })).status).not.toBe(303);
  });

  test('cannot choose before the address is proven, or long after', async () => {
    const { email, ownerId, browser } = await newOwner();
    await story.server.createTenant({ ownerEmail: email });
    await ask(browser, email);
    expect((await browser.get('/sign-in/tenant')).status).toBe(404);
    await browser.get('/sign-in/code');
    expect((await browser.post('/sign-in/tenant', { user_id: ownerId })).status).toBe(404);
    const { link, token } = await signInMail(story.server, email);
    await browser.get(link);
    await browser.follow(await browser.post('/sign-in/link', { token }));
    now += 15 * MINUTE;
    expect((await browser.post('/sign-in/tenant', { user_id: ownerId })).status).toBe(404);
  });
});

describe('a form', () => {
  const refused = (text: string) => expect(text).toContain('The form was not sent by a page of this session');

  test('needs the token of its page', async () => {
    const { email, browser } = await newOwner();
    for (const _csrf of ['', 'wrong', 'x'.repeat(43)]) {
      await browser.get('/sign-in');
      const answer = await browser.post('/sign-in', { email, _csrf });
      expect(answer.status).toBe(403);
      refused(answer.text);
    }
    expect(await mailsTo(email)).toBe(0);
    // The token of another browser is refused.
    const other = newBrowser();
    const page = await other.get('/sign-in');
    const [, foreign = ''] = /name="_csrf" value="([^"]+)"/.exec(page.text) ?? [];
    expect((await browser.post('/sign-in', { email, _csrf: foreign })).status).toBe(403);
    expect((await newBrowser().post('/sign-in', { email, _csrf: foreign })).status).toBe(403);
    expect((await other.post('/sign-in', { email })).status).toBe(303);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
  ])('that browsers send with %j is answered %i', async (headers, status) => {
    const browser = newBrowser();
    await browser.get('/sign-in');
    expect((await browser.post('/sign-in', { email: newEmail() }, headers)).status).toBe(status);
  });

  test('from this origin passes in browsers that send no other header', async () => {
    const browser = newBrowser();
    await browser.get('/sign-in');
    const headers = { origin: story.server.baseUrl };
    const post = (more = {}) => browser.post('/sign-in', { email: newEmail() }, { ...headers, ...more });
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post()).status).toBe(303);
  });

  test('that signs out needs token and origin too', async () => {
    const { ownerId } = await newOwner();
    const { cookie, csrfToken } = await story.server.signInAdmin(ownerId);
    const browser = newBrowser(cookie);
    expect((await browser.post('/sign-out', { _csrf: 'wrong' })).status).toBe(403);
    expect((await browser.post('/sign-out', { _csrf: csrfToken }, { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    expect((await browser.get('/')).status).toBe(200);
    expect((await browser.post('/sign-out', { _csrf: csrfToken })).status).toBe(303);
    expect(await sessionsOf(ownerId)).toBe(0);
  });
});

describe('a session', () => {
  test('has a new id, and replaces the previous session', async () => {
    const { email, ownerId, browser } = await newOwner();
    const victim = await newOwner();
    const planted = await story.server.signInAdmin(ownerId);
    const [name = '', value = ''] = planted.cookie.split('=');
    victim.browser.cookies.set(name, value);
    await signIn(victim.browser, victim.email);
    expect(victim.browser.cookies.get(name)).not.toBe(value);
    expect((await newBrowser(planted.cookie).get('/')).status).toBe(303);
    // An id that the server never issued is not adopted either.
    for (const made of ['s%3Amade-up.sig', 'made-up']) {
      browser.cookies.set(name, made);
      await signIn(browser, email);
      expect(browser.cookies.get(name)).not.toBe(made);
    }
  });

  test('is valid for its kind only, under any name of the cookie', async () => {
    const { email, ownerId } = await newOwner();
    const developer = newBrowser();
    await signIn(developer, email, '/console/sign-in');
    const developerCookie = developer.cookies.get('plat_developer');
    const admin = await story.server.signInAdmin(ownerId);
    expect((await newBrowser(admin.cookie).get('/')).status).toBe(200);
    expect((await newBrowser(admin.cookie).get('/console')).status).toBe(303);
    expect((await newBrowser(admin.cookie.replace('plat_admin', 'plat_developer')).get('/console')).status).toBe(303);
    expect((await developer.get('/console')).status).toBe(200);
    expect((await developer.get('/')).status).toBe(303);
    expect((await newBrowser(`plat_admin=${developerCookie}`).get('/')).status).toBe(303);

    // So is a link, in the browser that asked for both kinds.
    const browser = newBrowser();
    await ask(browser, email, '/console/sign-in');
    const { token } = await signInMail(story.server, email);
    await ask(browser, email);
    expect((await browser.get(`/sign-in/link?token=${token}`)).status).toBe(404);
    expect((await browser.post('/sign-in/link', { token })).status).toBe(404);
    // A developer's link is mailed to the address as typed, so it must not sign a user in.
    const secret = browser.cookies.get('plat_developer_sign_in');
    const forged = newBrowser(`plat_admin_sign_in=${secret}`);
    await forged.get('/sign-in');
    expect(forged.cookies.get('plat_admin_sign_in')).toBe(secret);
    expect((await forged.get(`/sign-in/link?token=${token}`)).status).toBe(404);
    expect((await forged.post('/sign-in/link', { token })).status).toBe(404);
  });

  test('ends at once when the user is deactivated, and shows a change of role at once', async () => {
    const { apiKey, tenantId, ownerId } = await newOwner();
    const owner = newBrowser((await story.server.signInAdmin(ownerId)).cookie);
    const api = apiOf(story.server.baseUrl, apiKey);
    const { body: user } = await api('/v1/users', { body: { email: newEmail(), role: 'viewer' } });
    await execute(story.server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: user.id });
    const browser = newBrowser((await story.server.signInAdmin(user.id)).cookie);
    expect((await browser.get('/')).text).toContain('<dd>Viewer</dd>');
    await api(`/v1/users/${user.id}`, { method: 'PATCH', body: { role: 'member' } });
    expect((await browser.get('/')).text).toContain('<dd>Member</dd>');
    expect((await api(`/v1/users/${user.id}/deactivate`, { method: 'POST' })).status).toBe(200);
    expect(await sessionsOf(user.id)).toBe(0);
    expect((await browser.get('/')).location).toBe('/sign-in?return_to=%2F');
    expect((await owner.get('/')).status).toBe(200);

    // Also when the status was changed directly in the database.
    const { body: next } = await api('/v1/users', { body: { email: newEmail(), role: 'viewer' } });
    const set = 'UPDATE users SET status = :status WHERE tenant_id = :tenantId AND id = :id';
    await execute(story.server.db, set, { status: 'active', tenantId, id: next.id });
    const other = newBrowser((await story.server.signInAdmin(next.id)).cookie);
    expect((await other.get('/')).status).toBe(200);
    await execute(story.server.db, set, { status: 'suspended', tenantId, id: next.id });
    expect((await other.get('/')).status).toBe(303);
    expect(await sessionsOf(next.id)).toBe(0);
  });

  test('ends when the tenant is suspended, and stays ended when it is reactivated', async () => {
    const { tenantId, ownerId } = await newOwner();
    const { cookie } = await story.server.signInAdmin(ownerId);
    const other = await story.server.signInAdmin((await newOwner()).ownerId);
    await story.server.setTenantStatus(tenantId, 'suspended');
    expect(await sessionsOf(ownerId)).toBe(0);
    // A session that began at the same time.
    const late = await story.server.signInAdmin(ownerId);
    expect((await newBrowser(late.cookie).get('/')).status).toBe(303);
    expect(await sessionsOf(ownerId)).toBe(0);
    await story.server.setTenantStatus(tenantId, 'active');
    expect((await newBrowser(cookie).get('/')).status).toBe(303);
    expect((await newBrowser(other.cookie).get('/')).status).toBe(200);
  });

  test('does not begin when its tenant is suspended during the sign-in', async () => {
    for (let round = 0; round < 8; round++) {
      const { email, tenantId, ownerId, browser } = await newOwner();
      await ask(browser, email);
      const { link, token } = await signInMail(story.server, email);
      await browser.get(link);
      const suspending = setTimeout(round).then(() => story.server.setTenantStatus(tenantId, 'suspended'));
      await Promise.all([browser.post('/sign-in/link', { token }), suspending]);
      expect(await sessionsOf(ownerId)).toBe(0);
    }
  });

  test('is prolonged by its use, which is stored once a minute at most', async () => {
    const { ownerId } = await newOwner();
    const [idle, used] = [await story.server.signInAdmin(ownerId), await story.server.signInAdmin(ownerId)];
    const writes = async () => {
      const statements = await captureStatements(story.server.db, () => newBrowser(used.cookie).get('/'));
      return statements.filter((statement) => statement.startsWith('UPDATE')).length;
    };
    now += MINUTE - 1;
    expect(await writes()).toBe(0);
    now += 1;
    expect([await writes(), await writes()]).toEqual([1, 0]);
    now += 12 * HOUR - MINUTE;
    expect((await newBrowser(idle.cookie).get('/')).status).toBe(303);
    expect((await newBrowser(used.cookie).get('/')).status).toBe(200);
  });

  test('ends after 12 hours without use, and after 7 days in any case', async () => {
    const { ownerId } = await newOwner();
    const begun = now;
    const [idle, used] = [await story.server.signInAdmin(ownerId), await story.server.signInAdmin(ownerId)];
    for (; now + 11 * HOUR < begun + 7 * 24 * HOUR; now += 11 * HOUR) {
      const { status, headers } = await newBrowser(used.cookie).get('/');
      expect(status).toBe(200);
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect((await newBrowser(idle.cookie).get('/')).status).toBe(303);
    expect((await newBrowser(used.cookie).get('/')).status).toBe(200);
    now = begun + 7 * 24 * HOUR - 1;
    expect((await newBrowser(used.cookie).get('/')).status).toBe(200);
    now += 1;
    expect((await newBrowser(used.cookie).get('/')).status).toBe(303);
    now += 1;
    await story.server.housekeeping();
    expect(await sessionsOf(ownerId)).toBe(0);
  });

  test('and its cookie are created only by signing in', async () => {
    const before = (await sessions()).length;
    for (const path of ['/', '/console', '/nowhere', '/sign-in/code', '/sign-in/link?token=x', '/sign-in/tenant']) {
      expect((await newBrowser().get(path)).headers.get('set-cookie')).toBeNull();
    }
    const browser = newBrowser();
    await browser.get('/sign-in');
    expect([...browser.cookies.keys()]).toEqual(['plat_admin_sign_in']);
    expect(await sessions()).toHaveLength(before);
  });

  test('is required with a JSON refusal to programs', async () => {
    for (const path of ['/', '/console']) {
      const answer = await apiOf(story.server.baseUrl)(path, { headers: { accept: 'application/json' } });
      expectRefusal(answer, 'UNAUTHORIZED');
    }
  });
});

test('under an https base URL with a path, cookies are for this host and TLS only, and links work for browsers', async () => {
  const port = await freePort();
  const env = { PLAT_BASE_URL: 'https://plat.example/prefix/', PORT: String(port), PLAT_DISPATCH: 'false' };
  const server = await createTestServer({ env });
  try {
    // As a proxy calls it that ends TLS and strips the prefix.
    const browser = visitor(`http://127.0.0.1:${port}`);
    const headers = { origin: 'https://plat.example' };
    const email = newEmail();
    expect((await browser.get('/console')).location).toBe('/prefix/console/sign-in?return_to=%2Fconsole');
    const page = await browser.get('/console/sign-in');
    expect(page.text.match(/ (?:href|action)="(?!#|\/prefix\/)/g)).toBeNull();
    expect(page.headers.get('set-cookie')).toMatch(
      /^__Host-plat_developer_sign_in=[^;]+; Max-Age=3600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await browser.post('/console/sign-in', { email }, headers)).location).toBe('/prefix/console/sign-in/code');
    const { link, token } = await signInMail(server, email);
    expect(link).toBe(`/prefix/console/sign-in/link?token=${token}`);
    await browser.get(link.slice('/prefix'.length));
    const done = await browser.post('/console/sign-in/link', { token }, headers);
    expect(done.location).toBe('/prefix/console');
    expect(done.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(
        /^__Host-plat_developer=s%3A[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    );
    const home = await browser.get('/console');
    expect(home.text).toContain(email);
    expect(home.text.match(/ (?:href|action)="(?!#|\/prefix\/)/g)).toBeNull();
    expect((await browser.post('/console/sign-out', {}, headers)).location).toBe('/prefix/console/sign-in');
    expect(browser.cookies.size).toBe(0);
  } finally {
    await server.close();
  }
});

test.each([
  ['127.0.0.0/8', '203.0.113.9'],
  ['', '127.0.0.1'],
])('behind the proxies %j, a sign-in is recorded from %s', async (proxies, from) => {
  const env = { PLAT_TRUSTED_PROXIES: proxies, PLAT_DISPATCH: 'false' };
  const server = await createTestServer({ env, clock: () => now });
  try {
    const email = newEmail();
    const { apiKey, ownerId } = await server.createTenant({ ownerEmail: email });
    const browser = visitor(server.baseUrl);
    await ask(browser, email);
    const { link, token } = await signInMail(server, email);
    await browser.get(link);
    const forwarded = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '198.51.100.1, 203.0.113.9' };
    expect((await browser.post('/sign-in/link', { token }, forwarded)).status).toBe(303);
    const { body } = await apiOf(server.baseUrl, apiKey)(`/v1/audit/events?actor_id=${ownerId}`);
    expect(body.data).toMatchObject([{ action: 'user.signed_in', ip: from }]);
  } finally {
    await server.close();
  }
});

test('of two servers on one database, one accepts a link that is posted to both', async () => {
  const env = { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY: randomBytes(32).toString('base64') };
  const options = { databaseUrl: story.database.url, clock: () => now, env };
  const servers = [await createTestServer(options), await createTestServer(options)];
  try {
    const [here, there] = servers;
    if (!here || !there) throw new Error('two servers');
    for (let round = 0; round < 5; round++) {
      const email = newEmail();
      const { ownerId } = await here.createTenant({ ownerEmail: email });
      const browser = visitor(here.baseUrl);
      await ask(browser, email);
      const { link, token } = await signInMail(here, email);
      const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec((await browser.get(link)).text) ?? [];
      const [cookie = ''] = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
      const done = await Promise.all(
        [here, there, here, there].map(({ baseUrl }) =>
          visitor(baseUrl, cookie).post('/sign-in/link', { token, _csrf }),
        ),
      );
      expect(done.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
      expect(await sessionsOf(ownerId)).toBe(1);
      // The session is valid at both.
      const session = done
        .flatMap(({ headers }) => headers.getSetCookie())
        .find((line) => line.startsWith('plat_admin='));
      for (const { baseUrl } of servers)
        expect((await visitor(baseUrl, session?.split(';', 1).join()).get('/')).status).toBe(200);
    }
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});
