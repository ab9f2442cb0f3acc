import { DEVICE_PATHS, HEADERS, isId } from '@plat/contract';
import { captureStatements, newToken } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import {
  answerLogin,
  beginLogin,
  login,
  openApproval,
  poll,
  postDevice,
  type SignedInDeveloper,
  signedInDeveloper,
} from '../support/developer.ts';
import { useServer } from '../support/story.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 86_400_000;
let now = Date.parse('2026-03-01T00:00:00.000Z');

describe('the login of a command line', () => {
  const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
  let developer: SignedInDeveloper;
  beforeAll(async () => {
    developer = await signedInDeveloper(story.server);
  });

  test('begins with a code to compare, which does not reveal the code to poll with', async () => {
    const { status, headers, body } = await postDevice(story.server, DEVICE_PATHS.code, { client_name: 'plat' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(isId('request', headers.get(HEADERS.requestId))).toBe(true);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^plat_dc_\w{49}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${story.server.baseUrl}/console/cli`,
      verification_uri_complete: `${story.server.baseUrl}/console/cli?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  test('gives a token once the developer has approved it on the page, and only one', async () => {
    const { device_code, user_code } = await beginLogin(story.server, 'plat on <laptop>');
    expect(await poll(story.server, device_code)).toMatchObject({
      status: 400,
      body: { code: 'AUTHORIZATION_PENDING', error: 'authorization_pending', error_description: expect.any(String) },
    });
    const page = await openApproval(story.server, developer.session, `?user_code=${user_code}`);
    expect(page.status).toBe(200);
    for (const shown of [user_code, 'plat on &lt;laptop&gt;', '127.0.0.1', developer.email, '2026-03-01 00:00 UTC']) {
      expect(page.text).toContain(shown);
    }
    expect((await answerLogin(story.server, developer.session, user_code)).text).toContain('signed in');

    now += 5 * SECOND;
    const given = await poll(story.server, device_code);
    expect(given.headers.get('cache-control')).toBe('no-store');
    expect(given).toMatchObject({
      status: 200,
      body: { access_token: expect.stringMatching(/^plat_dv_/), token_type: 'Bearer', expires_in: (90 * DAY) / SECOND },
    });
    const api = apiOf(story.server.baseUrl, given.body.access_token);
    const me = await api('/developer/v1/me');
    expect(me.headers.has('x-ratelimit-remaining')).toBe(true);
    expect(me.body).toMatchObject({
      object: 'developer',
      id: developer.id,
      email: developer.email,
      tenant_id: developer.tenantId,
      token: { client_name: 'plat on <laptop>', expires_at: new Date(now + 90 * DAY).toISOString() },
    });
  });

  test('with a device code that was used before gets no token, and ends the token of the first use', async () => {
    const { device_code, user_code } = await beginLogin(story.server);
    await answerLogin(story.server, developer.session, user_code);
    const api = apiOf(story.server.baseUrl, (await poll(story.server, device_code)).body.access_token);
    expect((await api('/developer/v1/me')).status).toBe(200);
    expect(await poll(story.server, device_code)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_GRANT', error: 'invalid_grant' },
    });
    expectRefusal(await api('/developer/v1/me'), 'INVALID_TOKEN');
  });

  test('that is polled ten times at once gives one token', async () => {
    const { device_code, user_code } = await beginLogin(story.server);
    await answerLogin(story.server, developer.session, user_code);
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(story.server, device_code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });

  test('is refused permanently after the developer denies it', async () => {
    const { device_code, user_code } = await beginLogin(story.server);
    expect((await answerLogin(story.server, developer.session, user_code, 'deny')).text).toContain('Access denied');
    expect((await openApproval(story.server, developer.session, `?user_code=${user_code}`)).status).toBe(404);
    expect((await answerLogin(story.server, developer.session, user_code)).status).toBe(404);
    expect((await poll(story.server, device_code)).body).toMatchObject({
      code: 'ACCESS_DENIED',
      error: 'access_denied',
    });
  });

  test('expires after ten minutes without an answer', async () => {
    const { device_code, user_code } = await beginLogin(story.server);
    now += 600 * SECOND - 1;
    expect((await openApproval(story.server, developer.session, `?user_code=${user_code}`)).status).toBe(200);
    now += 1;
    expect((await openApproval(story.server, developer.session, `?user_code=${user_code}`)).status).toBe(404);
    expect((await answerLogin(story.server, developer.session, user_code)).status).toBe(404);
    expect((await poll(story.server, device_code)).body).toMatchObject({
      code: 'EXPIRED_TOKEN',
      error: 'expired_token',
    });
  });

  test('expires ten minutes after its begin although the developer has approved it', async () => {
    const [first, second] = [await beginLogin(story.server), await beginLogin(story.server)];
    for (const { user_code } of [first, second]) await answerLogin(story.server, developer.session, user_code);
    now += 600 * SECOND - 1;
    expect((await poll(story.server, first.device_code)).status).toBe(200);
    now += 1;
    expect((await poll(story.server, second.device_code)).body.code).toBe('EXPIRED_TOKEN');
  });

  test('that is polled too soon has to wait five seconds longer from then on', async () => {
    const { device_code } = await beginLogin(story.server);
    const polledAfter = async (seconds: number) => {
      now += seconds * SECOND;
      return (await poll(story.server, device_code)).body.error;
    };
    expect(await polledAfter(0)).toBe('authorization_pending');
    expect(await polledAfter(5)).toBe('authorization_pending');
    expect(await polledAfter(4.999)).toBe('slow_down');
    expect(await polledAfter(9.999)).toBe('slow_down');
    expect(await polledAfter(15)).toBe('authorization_pending');
    expect((await poll(story.server, device_code)).body.code).toBe('SLOW_DOWN');
  });

  test('writes nothing for a poll without a token', async () => {
    const unknown = newToken('plat_dc_');
    const pending = (await beginLogin(story.server)).device_code;
    const denied = await beginLogin(story.server);
    await answerLogin(story.server, developer.session, denied.user_code, 'deny');
    const used = await beginLogin(story.server);
    await answerLogin(story.server, developer.session, used.user_code);
    await poll(story.server, used.device_code);
    // The first presentation of a used code ends the token that it gave.
    await poll(story.server, used.device_code);
    const expired = (await beginLogin(story.server)).device_code;
    const errors: string[] = [];
    const statements = await captureStatements(story.server.db, async () => {
      for (const code of [
        unknown,
        'plat_dc_unknown',
        pending,
        pending,
        pending,
        denied.device_code,
        used.device_code,
      ]) {
        errors.push((await poll(story.server, code)).body.error);
      }
      now += 600 * SECOND;
      errors.push((await poll(story.server, expired)).body.error);
    });
    expect(errors).toEqual([
      ...['invalid_grant', 'invalid_grant', 'authorization_pending', 'slow_down', 'slow_down'],
      ...['access_denied', 'invalid_grant', 'expired_token'],
    ]);
    expect(statements.filter((statement) => !statement.startsWith('SELECT'))).toEqual([]);
  });

  test('accepts a code in any case, and with any separators between its letters', async () => {
    const { user_code } = await beginLogin(story.server);
    for (const typed of [user_code.toLowerCase(), user_code.replace('-', ''), ` ${user_code.replace('-', ' - ')} `]) {
      const query = `?${new URLSearchParams({ user_code: typed })}`;
      expect((await openApproval(story.server, developer.session, query)).text).toContain(user_code);
    }
  });

  test('that gets a malformed code, a GET or a body that is not JSON is refused with RFC 8628 errors too', async () => {
    expect(await poll(story.server, 'plat_dc_unknown')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await postDevice(story.server, DEVICE_PATHS.token, {})).toMatchObject({
      status: 400,
      body: { code: 'INVALID_BODY', error: 'invalid_request', errors: [{ path: 'device_code' }] },
    });
    expect(await postDevice(story.server, DEVICE_PATHS.code, { client_name: 'x'.repeat(101) })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'client_name' }] },
    });
    const got = await fetch(story.server.baseUrl + DEVICE_PATHS.code);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('has a page for signed-in developers, whose form accepts no other caller', async () => {
    const { device_code, user_code } = await beginLogin(story.server);
    const signedOut = await openApproval(story.server, null, `?user_code=${user_code}`);
    expect(signedOut.status).toBe(303);
    const signIn = new URL(signedOut.headers.get('location') ?? '', story.server.baseUrl);
    expect(signIn.pathname).toBe('/console/sign-in');
    expect(signIn.searchParams.get('return_to')).toBe(`/console/cli?user_code=${user_code}`);

    const forged = { ...developer.session, csrfToken: 'invalid' };
    expect((await answerLogin(story.server, forged, user_code)).status).toBe(403);
    now += 5 * SECOND;
    expect((await poll(story.server, device_code)).body.error).toBe('authorization_pending');
  });

  test('gives the token to the developer who approves it', async () => {
    const other = await signedInDeveloper(story.server);
    const { api } = await login(story.server, other);
    expect((await api('/developer/v1/me')).body.id).toBe(other.id);
  });
});

describe('a token of the developer API', () => {
  const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
  let developer: SignedInDeveloper;
  beforeAll(async () => {
    developer = await signedInDeveloper(story.server);
  });

  test('is refused on /v1, and keys of a tenant are refused on the developer API', async () => {
    const { token } = await login(story.server, developer);
    const v1 = await apiOf(story.server.baseUrl, token)('/v1/me');
    expect(v1.status).toBe(401);
    expectRefusal(v1, 'INVALID_TOKEN');
    const withKey = apiOf(story.server.baseUrl, developer.apiKey);
    expect((await withKey('/v1/me')).status).toBe(200);
    for (const credential of [developer.apiKey, await story.server.createVendorKey(), `${token}x`, undefined]) {
      const answer = await apiOf(story.server.baseUrl, credential)('/developer/v1/me');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expectRefusal(answer, 'INVALID_TOKEN');
    }
    expectRefusal(await apiOf(story.server.baseUrl)(`/developer/v1/me?access_token=${token}`), 'INVALID_TOKEN');
  });

  test('is listed and ended, by itself or by another one, and is refused from the next request on', async () => {
    const first = await login(story.server, developer);
    now += SECOND;
    const second = await login(story.server, developer);
    const stranger = await login(story.server, await signedInDeveloper(story.server));
    const { body } = await first.api('/developer/v1/tokens?limit=2');
    expect(body).toMatchObject({ object: 'list', url: '/developer/v1/tokens', has_more: true });
    const [newest] = body.data;
    expect(newest).toMatchObject({ object: 'developer_token', client_name: 'plat on laptop' });
    expect(JSON.stringify(body)).not.toContain('plat_dv_');

    expectRefusal(
      await stranger.api(`/developer/v1/tokens/${newest.id}`, { method: 'DELETE' }),
      'DEVELOPER_TOKEN_NOT_FOUND',
    );
    expect((await first.api(`/developer/v1/tokens/${newest.id}`, { method: 'DELETE' })).body).toEqual({
      object: 'developer_token',
      id: newest.id,
      deleted: true,
    });
    expectRefusal(await second.api('/developer/v1/me'), 'INVALID_TOKEN');
    expect((await first.api('/developer/v1/tokens/current', { method: 'DELETE' })).status).toBe(200);
    expectRefusal(await first.api('/developer/v1/me'), 'INVALID_TOKEN');
    expectRefusal(await stranger.api('/developer/v1/tokens/döner', { method: 'DELETE' }), 'DEVELOPER_TOKEN_NOT_FOUND');
  });

  test('shows its last use, which is stored once an hour', async () => {
    const { api } = await login(story.server, developer);
    const lastUse = async () => Date.parse((await api('/developer/v1/me')).body.token.last_used_at);
    const begun = now;
    now += HOUR - 1;
    expect(await lastUse()).toBe(begun);
    now += 1;
    expect(await lastUse()).toBe(now);
  });

  test('expires 90 days after its last use', async () => {
    const [used, unused] = [await login(story.server, developer), await login(story.server, developer)];
    now += 60 * DAY;
    expect((await used.api('/developer/v1/me')).status).toBe(200);
    now += 30 * DAY;
    expect((await used.api('/developer/v1/me')).body.token.last_used_at).toBe(new Date(now).toISOString());
    expectRefusal(await unused.api('/developer/v1/me'), 'INVALID_TOKEN');
  });

  test('expires after a year, however often it is used', async () => {
    const { api } = await login(story.server, await signedInDeveloper(story.server));
    const end = now + 365 * DAY;
    for (; now < end - 30 * DAY; now += 60 * DAY) expect((await api('/developer/v1/me')).status).toBe(200);
    now = end - 1;
    expect((await api('/developer/v1/me')).body.token.expires_at).toBe(new Date(end).toISOString());
    now = end;
    expectRefusal(await api('/developer/v1/me'), 'INVALID_TOKEN');
  });

  test('is refused while the sandbox is suspended', async () => {
    const fresh = await signedInDeveloper(story.server);
    const { api } = await login(story.server, fresh);
    await story.server.setTenantStatus(fresh.tenantId, 'suspended');
    expectRefusal(await api('/developer/v1/sandbox'), 'TENANT_SUSPENDED');
    await story.server.setTenantStatus(fresh.tenantId, 'active');
    expect((await api('/developer/v1/sandbox')).status).toBe(200);
  });
});

describe('attempts', () => {
  const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

  test('at codes are limited for each address, correct ones included', async () => {
    const { session } = await signedInDeveloper(story.server);
    const { user_code } = await beginLogin(story.server);
    for (let i = 0; i < 100; i++) {
      expect((await openApproval(story.server, session, '?user_code=BBBB-BBBB')).status).toBe(404);
    }
    const limited = await openApproval(story.server, session, `?user_code=${user_code}`);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.text).not.toContain('Approve');
    expect((await answerLogin(story.server, session, user_code)).status).toBe(429);
    expect((await openApproval(story.server, session)).status).toBe(200);
  });

  test('to begin a login are limited for an address', async () => {
    let refused = 0;
    for (let i = 0; i < 100; i++) {
      const { status, body } = await postDevice(story.server, DEVICE_PATHS.code, { client_name: 'plat' });
      if (status === 429) expect([++refused, body.error]).toEqual([refused, 'temporarily_unavailable']);
    }
    expect(refused).toBe(1);
  });
});
