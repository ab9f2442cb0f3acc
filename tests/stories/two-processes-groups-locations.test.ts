import { expect, test } from 'vitest';
import { type Answer, expectRefusal } from '../support/api.ts';
import { useTwoServers } from '../support/two-servers.ts';

const two = useTwoServers();
const place = { name: 'Store', country: 'DE' };
const withStatus = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status);
const client = async () => (await two.api('/v1/clients', { body: { name: 'Race' } })).body.id as string;
const group = async () => (await two.api('/v1/groups', { body: { name: 'Race' } })).body.id as string;
const countOf = async (id: string) => (await two.api(`/v1/groups/${id}`)).body.member_count;

test('of many creates of one group slug exactly one wins; the others are SLUG_IN_USE', async () => {
  for (let round = 0; round < 5; round++) {
    const answers = await two.race(10, (api) => api('/v1/groups', { body: { name: 'Race', slug: `race-${round}` } }));
    expect(withStatus(answers, 201)).toHaveLength(1);
    for (const answer of withStatus(answers, 409)) expectRefusal(answer, 'SLUG_IN_USE');
    expect(withStatus(answers, 409)).toHaveLength(9);
  }
});

test('of many creates of one group name without a slug all win, each with a different slug', async () => {
  const answers = await two.race(20, (api) => api('/v1/groups', { body: { name: 'Same name' } }));
  expect(withStatus(answers, 201)).toHaveLength(20);
  expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(20);
});

test('a member added many times at once is added and counted once; the others are ALREADY_MEMBER', async () => {
  for (let round = 0; round < 5; round++) {
    const [groupId, client_id] = [await group(), await client()];
    const answers = await two.race(10, (api) => api(`/v1/groups/${groupId}/members`, { body: { client_id } }));
    expect(withStatus(answers, 201)).toHaveLength(1);
    for (const answer of withStatus(answers, 409)) expectRefusal(answer, 'ALREADY_MEMBER');
    expect(withStatus(answers, 409)).toHaveLength(9);
    expect(await countOf(groupId)).toBe(1);
  }
});

test('members that are added and removed at once leave the right count', async () => {
  const groupId = await group();
  const clients = await Promise.all(Array.from({ length: 8 }, client));
  await two.race(4, (api, i) => api(`/v1/groups/${groupId}/members`, { body: { client_id: clients[i] } }));
  const answers = await two.race(8, (api, i) =>
    i < 4
      ? api(`/v1/groups/${groupId}/members/${clients[i]}`, { method: 'DELETE' })
      : api(`/v1/groups/${groupId}/members`, { body: { client_id: clients[i] } }),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 201, 201, 201]);
  expect(await countOf(groupId)).toBe(4);
});

test('a client that is deleted while it is added is a member of no group, in either order', async () => {
  for (let round = 0; round < 8; round++) {
    const [groups, client_id] = [await Promise.all([group(), group()]), await client()];
    const answers = await two.race(6, (api, i) =>
      i === 3
        ? api(`/v1/clients/${client_id}`, { method: 'DELETE' })
        : api(`/v1/groups/${groups[i % 2]}/members`, { body: { client_id } }),
    );
    const [deletion] = answers.splice(3, 1);
    expect(deletion?.status).toBe(200);
    for (const answer of withStatus(answers, 404)) expectRefusal(answer, 'CLIENT_NOT_FOUND');
    for (const { status } of answers) expect([201, 404, 409]).toContain(status);
    for (const id of groups) {
      expect(await countOf(id)).toBe(0);
      expect((await two.api(`/v1/groups/${id}/members`)).body.data).toEqual([]);
    }
  }
});

test('a client that is deleted while it is removed from its groups, and the groups are deleted, is subtracted once from the count', async () => {
  for (let round = 0; round < 8; round++) {
    const [kept, gone, client_id, other] = [await group(), await group(), await client(), await client()];
    for (const id of [kept, gone]) await two.api(`/v1/groups/${id}/members`, { body: { client_id } });
    await two.api(`/v1/groups/${kept}/members`, { body: { client_id: other } });
    const answers = await two.race(3, (api, i) =>
      api([`/v1/clients/${client_id}`, `/v1/groups/${kept}/members/${client_id}`, `/v1/groups/${gone}`][i] ?? '', {
        method: 'DELETE',
      }),
    );
    expect([answers[0]?.status, answers[2]?.status]).toEqual([200, 200]);
    expect([200, 404]).toContain(answers[1]?.status);
    expect(await countOf(kept)).toBe(1);
  }
});

test('a new address that is invited to own many groups at once becomes one user', async () => {
  for (let round = 0; round < 3; round++) {
    const groups = await Promise.all([group(), group(), group(), group()]);
    const email = `race-${round}@example.com`;
    const answers = await two.race(8, (api, i) => api(`/v1/groups/${groups[i % 4]}/owners`, { body: { email } }));
    expect(withStatus(answers, 201)).toHaveLength(4);
    expect(new Set(withStatus(answers, 201).map(({ body }) => body.user_id)).size).toBe(1);
    for (const answer of withStatus(answers, 409)) expectRefusal(answer, 'ALREADY_OWNER');
    expect(withStatus(answers, 409)).toHaveLength(4);
  }
});

test.each([
  ['a client', '/v1/clients', client],
  ['a group', '/v1/groups', group],
])('of the first locations that both create under %s exactly one is the default', async (_title, family, create) => {
  for (let round = 0; round < 5; round++) {
    const path = `${family}/${await create()}/locations`;
    const answers = await two.race(8, (api) => api(path, { body: place }));
    expect(withStatus(answers, 201)).toHaveLength(8);
    expect(answers.filter(({ body }) => body.default)).toHaveLength(1);
    const { body } = await two.api(path);
    expect(body.data.filter((location: { default: boolean }) => location.default)).toHaveLength(1);
  }
});

test('a default flag that both move ends at exactly one location, and no move is refused', async () => {
  const path = `/v1/clients/${await client()}/locations`;
  const made = await two.race(4, (api) => api(path, { body: place }));
  for (let round = 0; round < 5; round++) {
    const answers = await two.race(12, (api, i) =>
      i % 3 === 0
        ? api(path, { body: { ...place, default: true } })
        : api(`${path}/${made[i % 4]?.body.id}`, { method: 'PATCH', body: { default: true } }),
    );
    for (const { status, body } of answers) {
      expect([200, 201]).toContain(status);
      expect(body.default).toBe(true);
    }
    const { body } = await two.api(`${path}?limit=100`);
    expect(body.data.filter((location: { default: boolean }) => location.default)).toHaveLength(1);
  }
});

test('of many deletes of one location exactly one deletes', async () => {
  const path = `/v1/clients/${await client()}/locations`;
  const [, second] = [await two.api(path, { body: place }), await two.api(path, { body: place })];
  const answers = await two.race(8, (api) => api(`${path}/${second.body.id}`, { method: 'DELETE' }));
  expect(withStatus(answers, 200)).toHaveLength(1);
  for (const answer of withStatus(answers, 404)) expectRefusal(answer, 'LOCATION_NOT_FOUND');
  expect(withStatus(answers, 404)).toHaveLength(7);
});

test('a location that is deleted while users are assigned to it is either in use or gone', async () => {
  // Locations of a group: users share no client whose lock would serialize them.
  const path = `/v1/groups/${await group()}/locations`;
  await two.api(path, { body: place });
  for (let round = 0; round < 8; round++) {
    const { id: location_id } = (await two.api(path, { body: place })).body;
    const answers = await two.race(4, (api, i) => {
      const email = `assigned-${round}-${i}@example.com`;
      return i === 1
        ? api(`${path}/${location_id}`, { method: 'DELETE' })
        : api('/v1/users', { body: { email, role: 'viewer', location_id } });
    });
    const [deletion] = answers.splice(1, 1);
    if (deletion?.status === 200) {
      for (const answer of answers) expectRefusal(answer, 'LOCATION_NOT_FOUND');
    } else {
      expectRefusal(deletion as Answer, 'LOCATION_IN_USE');
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    }
  }
});
