import { describe, expect, it } from 'vitest';
import { client, clientId, clientList, fakeApi } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

/** Runs a command against a server with these clients. */
async function listOf(clients: readonly object[], args: readonly string[]) {
  const api = await fakeApi(() => ({
    body: { object: 'list', data: clients, has_more: false, url: '/v1/clients' },
  }));
  return plat(['clients', 'list', ...args], { env: envFor(api) });
}

describe('--output csv', () => {
  it('has a heading and a line for each item, with the columns of the table', async () => {
    const { code, stdout, stderr } = await listOf([client(2, { name: 'A, "B"' }), client(1)], ['--output', 'csv']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      'id,name,status,slug,custom_domain,created_at\n' +
        `${clientId(2)},"A, ""B""",active,client-2,,2026-01-02T03:04:05.678Z\n` +
        `${clientId(1)},Client 1,active,client-1,,2026-01-02T03:04:05.678Z\n`,
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 40', "'+49 40"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', '\\t=1'],
    ['a=b', 'a=b'],
    [-2, '-2'],
  ])('writes %j so that a spreadsheet runs nothing', async (name, cell) => {
    const { stdout } = await listOf([client(1, { name })], ['--output', 'csv', '--fields', 'name']);
    expect(stdout).toBe(`name\n${cell}\n`);
  });

  it('has one heading for a list of several requests', async () => {
    const api = await fakeApi((request) => clientList(230, request));
    const { stdout } = await plat(['clients', 'list', '--all', '--output=csv', '--fields=id'], { env: envFor(api) });
    const lines = stdout.trimEnd().split('\n');
    expect([lines.length, lines.filter((line) => line === 'id').length]).toEqual([231, 1]);
  });

  it('of an empty list has the heading of --fields', async () => {
    const { code, stdout, stderr } = await listOf([], ['--output', 'csv', '--fields', 'id,actor.id']);
    expect([code, stdout, stderr]).toEqual([0, 'id,actor.id\n', 'None found.\n']);
    expect((await listOf([], ['--output', 'csv'])).stdout).toBe('');
  });

  it('of one object is a heading and a line', async () => {
    const api = await fakeApi(() => ({ body: { object: 'me', tenant_id: 'tnt_1', scopes: ['me:read', 'a:b'] } }));
    const { stdout } = await plat(['me', '--output', 'csv'], { env: envFor(api) });
    expect(stdout).toBe('object,tenant_id,scopes\nme,tnt_1,"me:read, a:b"\n');
  });
});

describe('--output', () => {
  it('json and ndjson are --json and --ndjson, for errors too', async () => {
    expect((await listOf([client(1)], ['--output', 'json'])).stdout).toBe(
      (await listOf([client(1)], ['--json'])).stdout,
    );
    expect((await listOf([client(1)], ['--output=ndjson'])).stdout).toBe(
      (await listOf([client(1)], ['--ndjson'])).stdout,
    );
    expect(JSON.parse((await plat(['clients', 'list', '--output=json'])).stderr)).toMatchObject({ exit_code: 4 });
    expect(JSON.parse((await plat(['clients', 'nope', '--output', 'ndjson'])).stderr)).toMatchObject({ exit_code: 2 });
  });

  it('refuses an unknown format, and two formats', async () => {
    expect((await plat(['me', '--output', 'xml'])).code).toBe(2);
    expect((await plat(['me', '--json', '--output', 'csv'])).code).toBe(2);
  });
});

describe('--fields', () => {
  const events = [{ object: 'audit_event', id: 'aud_1', action: 'client.created', actor: { type: 'user', id: 'u' } }];

  it('are the columns of a table, in this order and by their paths', async () => {
    const { stdout } = await listOf(events, ['--fields', 'actor.id, id']);
    expect(stdout).toBe('ACTOR.ID  ID\nu         aud_1\n');
  });

  it('select the fields of each item in JSON', async () => {
    const picked = { id: 'aud_1', actor: { id: 'u' } };
    const args = ['--fields', 'id,actor.id'];
    expect(JSON.parse((await listOf(events, [...args, '--json'])).stdout)).toMatchObject({ data: [picked] });
    expect(JSON.parse((await listOf(events, [...args, '--ndjson'])).stdout)).toEqual(picked);
    expect(JSON.parse((await listOf(events, [...args, '--all', '--json'])).stdout)).toMatchObject({
      data: [picked],
    });
  });

  it('are the lines of an object', async () => {
    const api = await fakeApi(() => ({ body: client(1) }));
    const { stdout } = await plat(['clients', 'get', clientId(1), '--fields', 'status,id'], { env: envFor(api) });
    expect(stdout).toBe(`status  active\nid      ${clientId(1)}\n`);
  });

  it('that are unknown are empty, with a note about the known fields', async () => {
    const { code, stdout, stderr } = await listOf(events, ['--fields', 'id,nmae']);
    expect([code, stdout]).toEqual([0, 'ID     NMAE\naud_1  -\n']);
    expect(stderr).toContain('Unknown fields: nmae. Known fields: object, id, action, actor');
  });
});
