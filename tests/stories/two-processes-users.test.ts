import { expect, test } from 'vitest';
import { type Answer, type Api, expectRefusal } from '../support/api.ts';
import { useTwoServers } from '../support/two-servers.ts';

const two = useTwoServers();
const withStatus = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status);
/** Asserts that exactly one response has the status, and that all others are refused with the code. */
const expectOneWinner = (answers: readonly Answer[], status: number, code: Parameters<typeof expectRefusal>[1]) => {
  expect(withStatus(answers, status)).toHaveLength(1);
  for (const answer of answers.filter((one) => one.status !== status)) expectRefusal(answer, code);
};

let serial = 0;
const invite = async (role = 'member') =>
  (await two.api('/v1/users', { body: { email: `user-${++serial}@example.com`, role } })).body;
const tokenFor = async (email: string): Promise<string> => {
  const { body: mails } = await two.api('/_dev/mail', { headers: { accept: 'application/json' } });
  const { text } = mails.find(({ to }: { to: string }) => to === email);
  return /token=(\w+)/.exec(text)?.[1] ?? '';
};
const accept = (api: Api, token: string) =>
  api('/invitations/accept', {
    body: `token=${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  });
const activate = async (role?: string) => {
  const user = await invite(role);
  return (await accept(two.api, await tokenFor(user.email))).body;
};
const eventsOf = async (type: string, id: string) =>
  (await two.api(`/v1/webhooks/events?type=${type}&limit=100`)).body.data.filter(
    ({ data }: { data: { id?: string; user_id?: string } }) => data.id === id || data.user_id === id,
  );

test('of many creates of one address exactly one wins, and sends one mail; the others are EMAIL_IN_USE', async () => {
  for (let round = 0; round < 5; round++) {
    const answers = await two.race(10, (api, i) =>
      api('/v1/users', {
        body: { email: i % 3 ? `race-${round}@example.com` : `RACE-${round}@example.com`, role: 'member' },
      }),
    );
    expectOneWinner(answers, 201, 'EMAIL_IN_USE');
    expect((await two.api(`/v1/users?email=race-${round}@example.com`)).body.data).toHaveLength(1);
    const { body: mails } = await two.api('/_dev/mail', { headers: { accept: 'application/json' } });
    expect(mails.filter(({ to }: { to: string }) => to.toLowerCase() === `race-${round}@example.com`)).toHaveLength(1);
  }
});

test('of many creates of one role name exactly one wins; the others are ROLE_NAME_IN_USE', async () => {
  for (let round = 0; round < 5; round++) {
    const answers = await two.race(10, (api) => api('/v1/roles', { body: { name: `race_${round}`, title: 'Race' } }));
    expectOneWinner(answers, 201, 'ROLE_NAME_IN_USE');
  }
});

test('of many calls that accept one invitation exactly one succeeds, with one event', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await invite();
    const token = await tokenFor(user.email);
    expectOneWinner(await two.race(10, (api) => accept(api, token)), 200, 'NOT_FOUND');
    expect(await eventsOf('user.activated', user.id)).toHaveLength(1);
  }
});

test('an invitation that is withdrawn, sent again and accepted at once ends in one state', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await invite();
    const token = await tokenFor(user.email);
    const path = `/v1/users/${user.id}`;
    const answers = await two.race(9, (api, i) => {
      if (i % 3 === 0) return accept(api, token);
      return i % 3 === 1 ? api(path, { method: 'DELETE' }) : api(`${path}/invite`, { method: 'POST' });
    });
    for (const { status } of answers) expect([200, 404, 422]).toContain(status);
    const accepted = answers.filter(({ body }) => body.status === 'active').length;
    const deleted = answers.filter(({ body }) => body.deleted === true).length;
    expect(accepted + deleted).toBe(1);
    const after = await two.api(path);
    expect(deleted === 1 ? after.status : after.body.status).toBe(deleted === 1 ? 404 : 'active');
  }
});

test('of two last owners who deactivate each other exactly one stays; the other call is LAST_OWNER_PROTECTED', async () => {
  const first = (await two.api('/v1/users?role=owner')).body.data[0];
  let keeper = first.id;
  for (let round = 0; round < 6; round++) {
    const pair = [keeper, (await activate('owner')).id];
    const answers = await two.race(2, (api, i) => {
      const path = `/v1/users/${pair[i]}`;
      return (round + i) % 2 === 0
        ? api(path, { method: 'PATCH', body: { role: 'member' } })
        : api(`${path}/deactivate`, { method: 'POST' });
    });
    expectOneWinner(answers, 200, 'LAST_OWNER_PROTECTED');
    const { data } = (await two.api('/v1/users?role=owner&status=active')).body;
    expect(data).toHaveLength(1);
    keeper = data[0].id;
  }
});

test('many deactivations of one user have one effect', async () => {
  const user = await activate();
  const { body: group } = await two.api('/v1/groups', { body: { name: 'Owned' } });
  await two.api(`/v1/groups/${group.id}/owners`, { body: { email: user.email } });
  const answers = await two.race(10, (api) => api(`/v1/users/${user.id}/deactivate`, { method: 'POST' }));
  expect(withStatus(answers, 200)).toHaveLength(10);
  expect(new Set(answers.map(({ body }) => body.deactivated_at)).size).toBe(1);
  expect(await eventsOf('user.deactivated', user.id)).toHaveLength(1);
  expect(await eventsOf('group.owner_removed', user.id)).toHaveLength(1);
});

test('an owner who is removed from a group and deactivated at once is removed once', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await activate();
    const { body: group } = await two.api('/v1/groups', { body: { name: `Owned ${round}` } });
    const path = `/v1/groups/${group.id}/owners`;
    await two.api(path, { body: { email: user.email } });
    const answers = await two.race(4, (api, i) =>
      i < 2
        ? api(`${path}/${user.id}`, { method: 'DELETE' })
        : api(`/v1/users/${user.id}/deactivate`, { method: 'POST' }),
    );
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 'GROUP_OWNER_NOT_FOUND');
    expect(await eventsOf('group.owner_removed', user.id)).toHaveLength(1);
  }
});

test('a user who is deactivated while becoming an owner of a group owns none', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await activate();
    const { body: group } = await two.api('/v1/groups', { body: { name: `Offered ${round}` } });
    const [made, ended] = await two.race(2, (api, i) =>
      i === 0
        ? api(`/v1/groups/${group.id}/owners`, { body: { email: user.email } })
        : api(`/v1/users/${user.id}/deactivate`, { method: 'POST' }),
    );
    expect(ended?.status).toBe(200);
    if (made && made.status !== 201) expectRefusal(made, 'UNPROCESSABLE');
    expect((await two.api(`/v1/groups/${group.id}/owners`)).body.data).toEqual([]);
  }
});
