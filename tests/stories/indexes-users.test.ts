import { createHash } from 'node:crypto';
import { newId, unitOfWork } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { invitationToken } from '../support/invitation.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';

/** Enough rows, of which a filter leaves few, so that a plan by another index would not be chosen by accident. */
const ROWS = 3000;

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let api: Api;
let ownerId: string;
const idsOf = (kind: 'user' | 'client' | 'group' | 'role' | 'audit_event') =>
  Array.from({ length: ROWS }, () => newId(kind));
const [users, clients, groups, roles, trail] = [
  idsOf('user'),
  idsOf('client'),
  idsOf('group'),
  idsOf('role'),
  idsOf('audit_event'),
];

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  api = apiOf(story.server.baseUrl, tenant.apiKey);
  ownerId = tenant.ownerId;
  const { db } = story.server;
  const { models } = db;
  const at = Date.now();
  const instants = { tenant_id: tenant.tenantId, created_at: at, updated_at: at };
  const title = { title: 'Role', description: null, built_in: 0, capabilities: '[]' } as const;
  await unitOfWork(db, async (transaction) => {
    await models.user.bulkCreate(
      users.map((id, i) => ({
        ...instants,
        id,
        email: `${i}@example.com`,
        email_hash: createHash('sha256').update(`${i}@example.com`).digest(),
        name: null,
        role: i % 100 ? 'member' : 'viewer',
        status: i % 100 === 11 ? 'invited' : 'active',
        client_id: clients[i % 100 ? i : 0] ?? null,
        location_id: null,
        activated_at: at,
        deactivated_at: null,
        invitation_hash: createHash('sha256').update(id).digest(),
        invitation_expires_at: at,
      })),
      { transaction },
    );
    await models.role.bulkCreate(
      roles.map((id, i) => ({ ...instants, ...title, id, name: `role_${i}` })),
      { transaction },
    );
    await models.group.bulkCreate(
      groups.map((id, i) => ({
        ...instants,
        id,
        name: `G${i}`,
        slug: `g-${i}`,
        membership_policy: 'open',
        member_count: 0,
      })),
      { transaction },
    );
    await models.groupOwner.bulkCreate(
      users.map((user_id, i) => ({ ...instants, group_id: groups[i] ?? '', user_id })),
      { transaction },
    );
    await models.auditEvent.bulkCreate(
      trail.map((id, i) => ({
        tenant_id: tenant.tenantId,
        id,
        actor_type: 'user',
        actor_id: users[i % 100 ? i : 0] ?? null,
        action: i % 100 ? 'user.updated' : 'user.invited',
        target_type: 'user',
        target_id: users[i % 100 ? i : 0] ?? '',
        changes: null,
        request_id: null,
        ip: null,
        created_at: at,
      })),
      { transaction },
    );
  });
  if (db.kind !== 'sqlite') {
    await db.sequelize.query('ANALYZE TABLE users, roles, client_groups, group_owners, audit_events');
  }
});

/** The catalog belongs to the platform and is small: it is read as a whole. */
const isCatalog = (statement: string) => /FROM `modules`/.test(statement);

test.each([
  ['users', () => '/v1/users', null],
  ['users, from the middle', () => `/v1/users?starting_after=${users[ROWS / 2]}`, null],
  ['users, backwards', () => `/v1/users?ending_before=${users[ROWS / 2]}`, null],
  ['users of a status', () => '/v1/users?status=invited', 'users_status'],
  ['users of a status that none has', () => '/v1/users?status=suspended', 'users_status'],
  ['users in a role', () => '/v1/users?role=viewer', 'users_role'],
  ['users in a role, from the middle', () => `/v1/users?role=viewer&starting_after=${users[ROWS / 2]}`, 'users_role'],
  ['users of a client', () => `/v1/users?client_id=${clients[0]}`, 'users_client'],
  ['the user with an address', () => '/v1/users?email=7@EXAMPLE.com', 'users_email'],
  ['one user', () => `/v1/users/${users[7]}`, null],
  ['the tenant', () => '/v1/tenant', null],
  ['its settings', () => '/v1/settings', null],
  ['roles', () => '/v1/roles', null],
  ['roles, the oldest', () => `/v1/roles?ending_before=${roles[1]}`, null],
  ['one role', () => `/v1/roles/${roles[7]}`, null],
  ['the trail', () => '/v1/audit/events', null],
  ['the trail, from the middle', () => `/v1/audit/events?starting_after=${trail[ROWS / 2]}`, null],
  ['the trail, backwards', () => `/v1/audit/events?ending_before=${trail[ROWS / 2]}`, null],
  ['the trail of an action', () => '/v1/audit/events?action=user.invited', 'audit_events_action'],
  ['the trail of an actor', () => `/v1/audit/events?actor_id=${users[0]}`, 'audit_events_actor'],
  ['the trail of an object', () => `/v1/audit/events?target_id=${users[0]}`, 'audit_events_target'],
  ['the trail of a time', () => '/v1/audit/events?created_after=2030-01-01T00:00:00Z', null],
  [
    'the trail of an action and a time',
    () => '/v1/audit/events?action=user.invited&created_before=2030-01-01T00:00:00Z',
    'audit_events_action',
  ],
  ['one audit event', () => `/v1/audit/events/${trail[7]}`, null],
])('%s reads an index in its order: no full scan, no sorting', async (_title, path, index) => {
  const plans = await plansOf(story.server, async () => expect((await api(path())).status).toBe(200));
  expect(plans.filter(([statement]) => !isCatalog(statement))).toHaveLength(2);
  for (const [statement, plan] of plans) if (!isCatalog(statement)) expect(plan, statement).not.toMatch(BAD_PLAN);
  if (index) expect(plans.at(-1)?.[1]).toMatch(new RegExp(`"key":"${index}"|USING INDEX ${index} `));
});

test('the rows that a change looks up are found by an index', async () => {
  const send = (path: string, method: string, body?: object) => () => api(path, { method, ...(body ? { body } : {}) });
  await api('/v1/users', { body: { email: 'new@example.com', role: 'member' } });
  const token = await invitationToken(story.server, 'new@example.com');
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const calls = [
    send('/v1/users', 'POST', { email: 'another@example.com', role: 'role_7' }),
    send(`/v1/users/${users[11]}/invite`, 'POST'),
    send(`/v1/users/${users[11]}`, 'DELETE'),
    send(`/v1/users/${users[12]}`, 'PATCH', { role: 'owner' }),
    send(`/v1/users/${users[12]}`, 'PATCH', { role: 'role_7' }),
    send(`/v1/users/${users[13]}/deactivate`, 'POST'),
    send('/v1/settings', 'PATCH', { default_locale: 'de' }),
    send(`/v1/roles/${roles[7]}`, 'PATCH', { title: 'New' }),
    () => api('/invitations/accept', { body: `token=${token}`, headers: form }),
  ];
  for (const call of calls) {
    const plans = await plansOf(story.server, async () => expect((await call()).status).toBeLessThan(300));
    for (const [statement, plan] of plans) expect(plan, statement).not.toMatch(BAD_PLAN);
  }
  expect((await api(`/v1/users/${ownerId}`)).body.role).toBe('owner');
});
