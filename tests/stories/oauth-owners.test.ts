import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { acceptInvitation } from '../support/invitation.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
/** The same tenant by its API key and by the token of an app that has all scopes. */
let byKey: Api;
let byApp: Api;
let tenantId: string;
let ownerId: string;

let serial = 0;
const newEmail = () => `user-${++serial}@example.com`;
const everything = async () => ({
  users: (await byKey('/v1/users?limit=100')).body.data,
  audit: (await byKey('/v1/audit/events?limit=100')).body.data,
  mails: (await story.server.mails()).length,
});

beforeEach(async () => {
  const tenant = await story.server.createTenant();
  ({ tenantId, ownerId } = tenant);
  byKey = apiOf(story.server.baseUrl, tenant.apiKey);
  const { tokens } = await story.server.grantTokens({ app: await story.server.createApp(), tenantId });
  byApp = apiOf(story.server.baseUrl, tokens.access_token);
});

describe('an OAuth token', () => {
  test('neither creates an owner nor promotes a user to owner', async () => {
    const { body: user } = await byApp('/v1/users', { body: { email: newEmail(), role: 'viewer' } });
    const before = await everything();
    expectRefusal(
      await byApp('/v1/users', { body: { email: newEmail(), role: 'owner' } }),
      'OAUTH_CANNOT_MANAGE_OWNERS',
    );
    const promotion = await byApp(`/v1/users/${user.id}`, { method: 'PATCH', body: { role: 'owner' } });
    expectRefusal(promotion, 'OAUTH_CANNOT_MANAGE_OWNERS');
    expect(promotion.status).toBe(403);
    expect(await everything()).toEqual(before);
  });

  test('neither demotes, renames, deactivates nor invites an owner again, nor withdraws the invitation', async () => {
    const { body: invited } = await byKey('/v1/users', { body: { email: newEmail(), role: 'owner' } });
    const { body: active } = await byKey('/v1/users', { body: { email: newEmail(), role: 'owner' } });
    await acceptInvitation(story.server, active.email);
    const before = await everything();
    for (const [path, call] of [
      [`/v1/users/${ownerId}`, { method: 'PATCH', body: { role: 'viewer' } }],
      [`/v1/users/${active.id}`, { method: 'PATCH', body: { name: 'Another name' } }],
      [`/v1/users/${active.id}/deactivate`, { method: 'POST' }],
      [`/v1/users/${invited.id}/invite`, { method: 'POST' }],
      [`/v1/users/${invited.id}`, { method: 'DELETE' }],
      [`/v1/users/${invited.id}`, { method: 'PATCH', body: { role: 'viewer' } }],
    ] as const) {
      expectRefusal(await byApp(path, call), 'OAUTH_CANNOT_MANAGE_OWNERS');
    }
    expect(await everything()).toEqual(before);
  });

  test('does all of this with users of other roles', async () => {
    const { body: user } = await byApp('/v1/users', { body: { email: newEmail(), role: 'member' } });
    expect((await byApp(`/v1/users/${user.id}/invite`, { method: 'POST' })).status).toBe(200);
    expect((await byApp(`/v1/users/${user.id}`, { method: 'PATCH', body: { role: 'viewer' } })).status).toBe(200);
    await acceptInvitation(story.server, user.email);
    expect((await byApp(`/v1/users/${user.id}/deactivate`, { method: 'POST' })).status).toBe(200);
  });

  test('that invites the owner of a group creates a viewer, not an owner of the tenant', async () => {
    const { body: group } = await byApp('/v1/groups', { body: { name: 'North' } });
    const email = newEmail();
    const { body: owner } = await byApp(`/v1/groups/${group.id}/owners`, { body: { email } });
    expect((await byKey(`/v1/users/${owner.user_id}`)).body.role).toBe('viewer');
  });
});

test('an API key manages owners', async () => {
  const { body: owner } = await byKey('/v1/users', { body: { email: newEmail(), role: 'owner' } });
  await acceptInvitation(story.server, owner.email);
  expect((await byKey(`/v1/users/${owner.id}`, { method: 'PATCH', body: { role: 'viewer' } })).status).toBe(200);
});
