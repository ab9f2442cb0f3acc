import { ALL_SCOPES } from '@plat/contract';
import { execute } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { developerConsole, openConsole, shownFields } from '../support/console.ts';
import { login, signedInDeveloper } from '../support/developer.ts';
import { postForm, refreshForm } from '../support/oauth.ts';
import { useServer } from '../support/story.ts';
import type { Visit } from '../support/visitor.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_REQUEST_LOG: 'all' } });

const secretIn = ({ text }: Visit) =>
  /<textarea class="input" id="secret"[^>]*>\s*(\S+)<\/textarea>/.exec(text)?.[1] ?? '';

describe('a key or token that is checked', () => {
  test('is explained to its tenant and the developer of its app, and never shown', async () => {
    const { server } = story;
    const { developer, get, submit } = await developerConsole(server);
    const stranger = await developerConsole(server);
    const app = await server.createApp({ developerId: developer.id });
    await server.reviewApp(app.appId, 'verified');
    const { ownerId, tenantId } = await server.createTenant({ sandbox: false });
    const owner = openConsole(server, await server.signInAdmin(ownerId));
    const { tokens, grantId } = await server.grantTokens({ app, tenantId });
    const check = async (credential: string, as: Pick<typeof owner, 'submit'> = { submit }, path = '/console') => {
      const { status, text } = await as.submit(`${path}/key/check`, { credential });
      expect(status).toBe(200);
      expect(text).not.toContain(credential);
      const [, kind, words] = /<h2 id="answer">([^<]*?) <span class="badge \w*">([^<]*)</.exec(text) ?? [];
      return { kind, words, text };
    };
    const { access_token: access, refresh_token: refresh } = tokens;
    expect(await check(developer.apiKey)).toMatchObject({ kind: 'This API key', words: 'Valid' });
    expect(await check(developer.apiKey, stranger)).toMatchObject({ words: 'Not a key of this tenant' });
    expect(await check(access)).toMatchObject({ kind: 'This access token', words: 'Valid' });
    expect(await check(access.slice(0, -1))).toMatchObject({ words: 'Not complete' });
    expect(await check('a password')).toMatchObject({ kind: 'Not a key or token' });
    expect(await check(access, stranger)).toMatchObject({ words: 'Unknown' });
    const ofOwner = await check(refresh, owner, '');
    expect(ofOwner).toMatchObject({ kind: 'This refresh token', words: 'Valid' });
    for (const part of [tenantId, app.appId, grantId, `/audit?target_id=${grantId}`]) {
      expect(ofOwner.text).toContain(part);
    }

    const { body: next } = await postForm(`${server.baseUrl}/oauth/token`, refreshForm(app, refresh));
    expect(await check(refresh)).toMatchObject({ words: 'Used before' });
    await server.reviewApp(app.appId, 'rejected');
    expect((await check(next.access_token)).text).toContain('The app is not verified');
    await postForm(`${server.baseUrl}/oauth/token`, refreshForm(app, refresh));
    const revoked = await check(next.access_token);
    expect(revoked).toMatchObject({ words: 'Revoked' });
    expect(revoked.text).toContain('a refresh token was used twice');
    expect(revoked.text).toContain(`/console/apps/${app.appId}/installations/${grantId}`);

    const past = { id: developer.tenantId, at: Date.now() - 1 };
    const replaced = await submit('/console/key', { expires_in: '3600' });
    expect(replaced.status).toBe(201);
    expect((await check(developer.apiKey)).words).toBe('Valid');
    await execute(server.db, 'UPDATE previous_api_keys SET expires_at = :at WHERE tenant_id = :id', past);
    expect((await check(developer.apiKey)).words).toBe('Expired');
    expect((await check(secretIn(replaced))).words).toBe('Valid');
    expect((await get('/console/trace?id=plat_at_x')).text).toContain('href="/console/key/check"');
  });
});

test('the previous key and the previous secret are revoked before they expire, each after a confirmation', async () => {
  const { server } = story;
  const { developer, get, submit } = await developerConsole(server);
  const api = (key: string) => apiOf(server.baseUrl, key);
  const next = secretIn(await submit('/console/key', { expires_in: '3600' }));
  expect((await get('/console/key')).text).toContain('href="/console/key/revoke-previous">Revoke it now');
  expect((await get('/console/key/revoke-previous')).text).toContain(`plat_test_...${developer.apiKey.slice(-4)}`);
  const done = await submit('/console/key/revoke-previous');
  expect((await get(done.location)).text).toContain('The previous key was revoked.');
  expect((await api(developer.apiKey)('/v1/me')).status).toBe(401);
  expect((await api(next)('/v1/me')).status).toBe(200);
  expect((await get('/console/key')).text).not.toContain('revoke-previous');
  expect((await get('/console/key/revoke-previous')).location).toBe('/console/key');

  const { appId } = await server.createApp({ developerId: developer.id });
  const own = `/console/apps/${appId}`;
  expect((await get(own)).text).not.toContain('revoke-previous');
  expect((await get(`${own}/revoke-previous`)).location).toBe(own);
  await submit(`${own}/secret`, { expires_in: '3600' });
  expect((await get(own)).text).toContain(`href="${own}/revoke-previous">Revoke previous secret`);
  const ended = await submit(`${own}/revoke-previous`);
  expect((await get(ended.location)).text).toContain('The previous secret was revoked.');
  expect((await get(own)).text).not.toContain('valid until');
});

test('a confirmation revokes the key or secret that it named, not one that was replaced meanwhile', async () => {
  const { server } = story;
  const { developer, get, post, submit } = await developerConsole(server);
  const second = secretIn(await submit('/console/key', { expires_in: '3600' }));
  const { key_id: named } = shownFields(await get('/console/key/revoke-previous'));
  await submit('/console/key', { expires_in: '3600' });
  const { location } = await post('/console/key/revoke-previous', { key_id: named ?? '' });
  expect(location).toBe('/console/key');
  expect((await apiOf(server.baseUrl, second)('/v1/me')).status).toBe(200);

  const own = `/console/apps/${(await server.createApp({ developerId: developer.id })).appId}`;
  await submit(`${own}/secret`, { expires_in: '3600' });
  const { expires_at: until = '' } = shownFields(await get(`${own}/revoke-previous`));
  await submit(`${own}/secret`, { expires_in: '86400' });
  expect((await post(`${own}/revoke-previous`, { expires_at: until })).location).toBe(own);
  expect((await get(own)).text).toContain('The previous secret is valid until');
});

describe('the live key of a production tenant', () => {
  test('is not recognized once it is revoked or replaced; the times of such changes of the tenant are shown', async () => {
    const { server } = story;
    const { ownerId, apiKey } = await server.createTenant({ sandbox: false });
    const { submit } = openConsole(server, await server.signInAdmin(ownerId));
    const check = async (credential: string) => {
      const { text } = await submit('/key/check', { credential });
      const fact = (name: string) => new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`).exec(text)?.[1];
      return { text, created: fact('Latest new key'), revoked: fact('Latest revocation') };
    };
    const [first, second] = [secretIn(await submit('/key')), secretIn(await submit('/key'))];
    expect([first, second]).toEqual([expect.stringMatching(/^plat_live_/), expect.stringMatching(/^plat_live_/)]);
    const entry = /^<a href="\/audit\/aud_\w+\?action=api_key\.(minted|revoked)"><time datetime="20/;
    const replaced = await check(first);
    expect(replaced.text).toContain('Not a key of this tenant</span>');
    expect(replaced.text).toContain('A key is deleted when it is revoked, or replaced without an overlap');
    expect(replaced.created).toMatch(entry);
    expect(replaced.revoked).toBe('None');
    await submit('/key/revoke');
    const revoked = await check(second);
    expect(revoked.created).toBe((await check(apiKey)).created);
    expect(entry.exec(revoked.revoked ?? '')?.[1]).toBe('revoked');
  });

  test('is created by an owner with chosen scopes, replaced with an overlap, and revoked', async () => {
    const { server } = story;
    const { ownerId, tenantId } = await server.createTenant({ sandbox: false });
    await execute(server.db, 'DELETE FROM api_keys WHERE tenant_id = :tenantId', { tenantId });
    const { get, post, submit } = openConsole(server, await server.signInAdmin(ownerId));
    expect((await get('/key')).text).toContain('The tenant has no API key');
    const none = Object.fromEntries(ALL_SCOPES.map((scope) => [`scope.${scope}`, '']));
    const first = await submit('/key', {
      ...none,
      'scope.me:read': 'on',
      'scope.users:read': 'on',
      'scope.users:write': 'on',
    });
    expect(first.status).toBe(201);
    const key = secretIn(first);
    expect(key).toMatch(/^plat_live_/);
    const api = apiOf(server.baseUrl, key);
    expect((await api('/v1/me')).body).toMatchObject({
      tenant_id: tenantId,
      scopes: ['me:read', 'users:read', 'users:write'],
    });
    // Changes that are made with it have the owner as their user.
    const { body: user } = await api('/v1/users', { body: { email: 'a@example.com', role: 'viewer' } });
    await api(`/v1/users/${user.id}`, { method: 'PATCH', body: { role: 'member' } });
    expect((await get(`/users/${user.id}/audit`)).text).toContain('user.updated');
    await expect
      .poll(async () => (await get('/key')).text)
      .toMatch(/Logged request<\/dt><dd><a class="mono" href="\/requests\/req_\w+">PATCH \/v1\/users\/usr_\w+<\/a>/);
    expect((await get('/key')).text).toContain('This is a live key.');

    const second = await submit('/key', { expires_in: '3600' });
    expect((await apiOf(server.baseUrl, secretIn(second))('/v1/me')).status).toBe(200);
    expect((await api('/v1/me')).status).toBe(200);
    await expect.poll(async () => (await get('/key')).text).toMatch(/Last used<\/dt><dd><time/);
    expect((await get('/key')).text).toMatch(/Previous key<.*, last used: <time/);
    // A reload sends the form again.
    expect((await post('/key', { ...none, 'scope.me:read': 'on', seen: '' })).status).toBe(409);
    expect((await submit('/key/revoke')).location).toBe('/key?done=revoked');
    expectRefusal(await api('/v1/me'), 'INVALID_TOKEN');
    const audit = await get('/audit?action=api_key.minted');
    expect(audit.text).toContain('User');
  });

  test('is no business of members', async () => {
    const { server } = story;
    const { apiKey } = await server.createTenant({ sandbox: false });
    const { body: user } = await apiOf(server.baseUrl, apiKey)('/v1/users', {
      body: { email: 'm@example.com', role: 'member' },
    });
    await execute(server.db, "UPDATE users SET status = 'active' WHERE id = :id", { id: user.id });
    const { get, post } = openConsole(server, await server.signInAdmin(user.id));
    expect([(await get('/key')).status, (await post('/key', { 'scope.me:read': 'on' })).status]).toEqual([403, 403]);
    expect((await get('/')).text).not.toContain('href="/key"');
  });
});

test('a developer sees the terminals that are signed in, and ends one', async () => {
  const { server } = story;
  const { developer, get, submit } = await developerConsole(server);
  expect((await get('/console/logins')).text).toContain('plat login');
  const { api } = await login(server, developer);
  const page = await get('/console/logins');
  expect(page.text).toContain('plat on laptop');
  const revoke = /href="(\/console\/logins\/\w+\/revoke)"/.exec(page.text)?.[1] ?? '';
  const stranger = openConsole(server, (await signedInDeveloper(server)).session);
  expect((await stranger.get(revoke)).status).toBe(404);
  expect((await stranger.post(revoke)).status).toBe(404);
  expect((await api('/developer/v1/me')).status).toBe(200);
  expect((await submit(revoke)).location).toBe('/console/logins?done=revoked');
  expect((await api('/developer/v1/me')).status).toBe(401);
});
