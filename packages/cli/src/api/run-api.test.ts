import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeApi, refusal } from '../testing/fake-api.ts';
import { emptyFolder, envFor, plat } from '../testing/plat.ts';

const echo = () => fakeApi(({ method, path, query, body }) => ({ body: { method, path, query, body } }));

async function bodyOf(fields: readonly string[], surroundings: { cwd?: string; stdin?: string } = {}) {
  const api = await echo();
  const { code, stderr } = await plat(['api', 'POST', '/v1/x', ...fields], { env: envFor(api), ...surroundings });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return api.received[0]?.body;
}

describe('plat api', () => {
  it('sends any request and prints the JSON answer', async () => {
    const api = await echo();
    const { stdout } = await plat(['api', 'get', 'v1/clients?limit=2', '-q', 'slug=a b'], { env: envFor(api) });
    expect(JSON.parse(stdout)).toEqual({ method: 'GET', path: '/v1/clients', query: { limit: '2', slug: 'a b' } });
  });

  it('reads fields as what they look like, and --raw-field as text', async () => {
    const fields = ['a=true', 'b=null', 'c=12', 'd=-1.5', 'e=007', 'f=1e5', 'g=x=y', 'h=', 'i=9007199254740993'];
    expect(await bodyOf([...fields.flatMap((field) => ['-F', field]), '-f', 'j=12', '--raw-field', 'k=@x'])).toEqual({
      a: true,
      b: null,
      c: 12,
      d: -1.5,
      e: '007',
      f: '1e5',
      g: 'x=y',
      h: '',
      i: '9007199254740993',
      j: '12',
      k: '@x',
    });
  });

  it('builds lists and objects', async () => {
    const fields = ['events[]=client.created', 'events[]=client.deleted', 'a[b][c]=1', 'a[b][d][]=2', '__proto__[x]=1'];
    const body = await bodyOf(fields.flatMap((field) => ['--field', field]));
    expect(JSON.stringify(body)).toBe(
      '{"events":["client.created","client.deleted"],"a":{"b":{"c":1,"d":[2]}},"__proto__":{"x":1}}',
    );
  });

  it('takes a field or the whole body from a file or stdin', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'name.txt'), 'Acme');
    writeFileSync(join(cwd, 'body.json'), '{"name":"Acme"}');
    expect(await bodyOf(['-F', 'name=@name.txt'], { cwd })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['-F', 'name=@-'], { stdin: 'Acme' })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['--data', '@body.json'], { cwd })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['--data', '-'], { stdin: '{"name":"Acme"}' })).toEqual({ name: 'Acme' });
    expect(await bodyOf(['-d', '{"name":"Acme"}'])).toEqual({ name: 'Acme' });
  });

  it('prints status and headers with --include', async () => {
    const api = await echo();
    const text = await plat(['api', 'GET', '/v1/me', '--include'], { env: envFor(api) });
    expect(text.stdout).toMatch(/^HTTP 200\ncontent-type: application\/json\n.*\n\n\{\n/s);
    const json = await plat(['api', 'GET', '/v1/me', '--include', '--json'], { env: envFor(api) });
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: {},
    });
  });

  it.each([
    ['a full URL', ['GET', 'https://evil.example/v1/me'], /path only/],
    ['an unknown method', ['FETCH', '/v1/me'], /no method/],
    ['a body on GET', ['GET', '/v1/me', '-F', 'a=1'], /--query/],
    ['fields beside data', ['POST', '/v1/me', '-F', 'a=1', '-d', '{}'], /exclude each other/],
    ['data that is no object', ['POST', '/v1/me', '-d', '[1]'], /does not hold a JSON object/],
    ['a file that is not there', ['POST', '/v1/me', '-d', '@gone.json'], /cannot read gone.json/],
    ['a pair without =', ['POST', '/v1/me', '-F', 'name'], /name=value/],
    ['a name that is none', ['POST', '/v1/me', '-F', 'a]b=1'], /no name of a field/],
    ['a field given twice', ['POST', '/v1/me', '-F', 'a=1', '-F', 'a=2'], /in two ways/],
    ['a field that is a list and a value', ['POST', '/v1/me', '-F', 'a=1', '-F', 'a[]=2'], /in two ways/],
    ['a query parameter given twice', ['GET', '/v1/me', '-q', 'a=1', '-q', 'a=2'], /given twice/],
    ['two readers of stdin', ['POST', '/v1/me', '-F', 'a=@-', '-F', 'b=@-'], /cannot both read stdin/],
    ['the key and the body from stdin', ['POST', '/v1/me', '-d', '-', '--api-key-file', '-'], /cannot both read stdin/],
  ])('refuses %s', async (_, args, message) => {
    const api = await echo();
    const { code, stdout, stderr } = await plat(['api', ...args], { env: envFor(api), stdin: '{}' });
    expect([code, stdout, api.received.length]).toEqual([2, '', 0]);
    expect(stderr).toMatch(message);
  });

  it('fails like every other command', async () => {
    const api = await fakeApi(() => refusal(409, 'SLUG_IN_USE'));
    const { code, stdout, stderr } = await plat(['api', 'POST', '/v1/clients', '-F', 'name=A'], { env: envFor(api) });
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr).toContain('SLUG_IN_USE');
  });
});
