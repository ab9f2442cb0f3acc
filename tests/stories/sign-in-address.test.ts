import { createHash } from 'node:crypto';
import { execute, select } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { askForLink, signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
const newBrowser = () => visitor(story.server.baseUrl);
const KELVIN = '\u212A';
const recipients = async () => (await story.server.mails()).map(({ to }) => to);

describe('a sign-in link', () => {
  test.each([
    ['ada-1@kelvin.example', `ada-1@${KELVIN}elvin.example`],
    ['ada-2@kelvin.example', 'ADA-2@ＫＥＬＶＩＮ.example'],
    ['Ada-3@bücher.example', 'ada-3@xn--bcher-kva.example'],
  ])('for the user %j goes to that address when %j is typed', async (stored, typed) => {
    const { ownerId } = await story.server.createTenant({ ownerEmail: stored });
    const before = (await recipients()).length;
    const browser = newBrowser();
    const page = await browser.follow(await askForLink(browser, typed));
    // The page shows the typed address: it must not reveal that the address is known.
    expect(page.text).toContain(typed);
    const sentTo = (await recipients()).slice(0, -before || undefined);
    const sendable = stored.replace('bücher', 'xn--bcher-kva');
    expect(sentTo).toEqual([sendable]);
    const { link, token } = await signInMail(story.server, sendable);
    await browser.get(link);
    expect(await browser.post('/sign-in/link', { token })).toMatchObject({ status: 303, location: '/' });
    const sessions = await select(story.server.db, 'SELECT * FROM sessions WHERE account_id = :ownerId', { ownerId });
    expect(sessions).toHaveLength(1);
  });

  test('for a developer goes to the stored address too, and no second account is created', async () => {
    const email = 'dev@kelvin.example';
    const first = newBrowser();
    await askForLink(first, email, '/console/sign-in');
    const mail = await signInMail(story.server, email);
    await first.get(mail.link);
    await first.post('/console/sign-in/link', { token: mail.token });

    const second = newBrowser();
    await askForLink(second, `DEV@${KELVIN}elvin.example`, '/console/sign-in');
    expect((await recipients())[0]).toBe(email);
    const { link, token } = await signInMail(story.server, email);
    await second.get(link);
    expect((await second.post('/console/sign-in/link', { token })).location).toBe('/console');
    const sql = "SELECT id FROM developers WHERE email LIKE '%elvin.example'";
    expect(await select(story.server.db, sql)).toHaveLength(1);
  });

  test('is not sent for a local part that only looks like a stored one', async () => {
    await story.server.createTenant({ ownerEmail: 'kate@example.com' });
    for (const typed of [`${KELVIN}ate@example.com`, 'ｋate@example.com', '\u0138ate@example.com']) {
      const before = await recipients();
      await askForLink(newBrowser(), typed);
      expect(await recipients()).toEqual(before);
    }
  });

  test('finds both users whose addresses were different before addresses had a canonical form', async () => {
    const { ownerId, apiKey } = await story.server.createTenant({ ownerEmail: 'eva@xn--bcher-kva.example' });
    const api = apiOf(story.server.baseUrl, apiKey);
    const { body: later } = await api('/v1/users', { body: { email: 'later@example.com', role: 'viewer' } });
    const email = 'eva@bücher.example';
    await execute(
      story.server.db,
      "UPDATE users SET email = :email, email_hash = :hash, status = 'active' WHERE id = :id",
      { id: later.id, email, hash: createHash('sha256').update(email).digest() },
    );
    const browser = newBrowser();
    await askForLink(browser, email);
    const { link, token } = await signInMail(story.server, 'eva@xn--bcher-kva.example');
    await browser.get(link);
    const choices = await browser.follow(await browser.post('/sign-in/link', { token }));
    for (const id of [ownerId, later.id]) expect(choices.text).toContain(id);
  });
});

test('an address is in use in every spelling of its domain', async () => {
  const { apiKey } = await story.server.createTenant({ ownerEmail: 'ada@kelvin.example' });
  const api = apiOf(story.server.baseUrl, apiKey);
  const create = (email: string) => api('/v1/users', { body: { email, role: 'viewer' } });
  for (const email of [`ada@${KELVIN}elvin.example`, 'Ada@ｋelvin.example']) {
    expectRefusal(await create(email), 'EMAIL_IN_USE');
    expect((await api(`/v1/users?${new URLSearchParams({ email })}`)).body.data).toHaveLength(1);
  }
  expectRefusal(await create(`${KELVIN}ate@example.com`), 'INVALID_BODY', ['email']);
});
