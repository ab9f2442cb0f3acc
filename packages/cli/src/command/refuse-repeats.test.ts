import { describe, expect, it } from 'vitest';
import { clientId, clientList, fakeApi } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

describe('an option that is given twice', () => {
  it.each([
    ['of an operation', ['clients', 'list', '--status', 'active', '--status', 'inactive'], '--status'],
    ['with = and without', ['clients', 'list', '--limit=5', '--limit', '5'], '--limit'],
    ['by its short name', ['api', 'POST', '/v1/clients', '-d', '{}', '--data', '{}'], '--data'],
    ['with an optional value', ['listen', '--to', 'http://127.0.0.1:2/', '--once', '--once', '3'], '--once'],
  ])('is refused: one %s', async (_, args, option) => {
    const { code, stderr } = await plat([...args, '--json']);
    expect([code, JSON.parse(stderr).error]).toMatchObject([2, { code: 'USAGE', message: `${option} is given twice` }]);
  });

  it('replaces the first one if every command has it, as after an alias', async () => {
    const api = await fakeApi((request) => clientList(1, request));
    const { stdout } = await plat(['--output', 'json', 'clients', 'list', '--output', 'csv'], { env: envFor(api) });
    expect(stdout).toMatch(/^id,/);
  });

  it('adds names to --fields', async () => {
    const api = await fakeApi((request) => clientList(1, request));
    const args = ['clients', 'list', '--fields', 'id,name', '--output=csv', '--fields=status'];
    const { stdout } = await plat(args, { env: envFor(api) });
    expect(stdout).toMatch(/^id,name,status\n/);
  });

  it('adds to lists of an operation and of plat api', async () => {
    const api = await fakeApi(() => ({ body: {} }));
    const events = ['--events', 'client.created,client.updated', '--events', 'client.deleted'];
    await plat(['webhooks', 'endpoints', 'update', clientId(1), ...events], { env: envFor(api) });
    await plat(['api', 'POST', '/v1/clients', '-F', 'a=1', '-f', 'b=2', '-F', 'c=3'], { env: envFor(api) });
    expect(api.received.map(({ body }) => body)).toEqual([
      { events: ['client.created', 'client.updated', 'client.deleted'] },
      { a: 1, b: '2', c: 3 },
    ]);
  });

  it('is accepted when it takes no value', async () => {
    const api = await fakeApi((request) => clientList(1, request));
    expect(await plat(['clients', 'list', '--json', '--json'], { env: envFor(api) })).toMatchObject({ code: 0 });
  });
});
