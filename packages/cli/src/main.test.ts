import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clientId, clientList, fakeApi } from './testing/fake-api.ts';
import { emptyFolder, envFor, platProcess, spawnPlat } from './testing/plat.ts';

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

describe('the process', () => {
  it('shows the root help and the version without a server', async () => {
    const [help, bare, version] = await Promise.all([platProcess(['--help']), platProcess([]), platProcess(['-V'])]);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage: plat <command>') });
    expect(bare).toEqual(help);
    expect(version).toEqual({ code: 0, stderr: '', stdout: `${manifest.version}\n` });
  });

  it('ends with the exit code of the failure, with stdin closed', async () => {
    const { code, stdout, stderr } = await platProcess(['me', '--json']);
    expect([code, stdout]).toEqual([4, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'NO_API_KEY' }, exit_code: 4 });
  });

  it('prints only its own error on stderr with both FORCE_COLOR and NO_COLOR', async () => {
    const env = { FORCE_COLOR: '1', NO_COLOR: '1', NODE_DISABLE_COLORS: '1' };
    const { code, stderr } = await platProcess(['clients', 'get', 'x', '--json'], { env });
    expect([code, JSON.parse(stderr)]).toMatchObject([4, { error: { code: 'NO_API_KEY' } }]);
  });

  it('exits after a response on a keep-alive connection', async () => {
    const api = await fakeApi((request) => clientList(3, request));
    const { code, stdout } = await platProcess(['clients', 'list', '--json'], { env: envFor(api) });
    expect([code, JSON.parse(stdout).data.length]).toEqual([0, 3]);
  });

  it('never prompts without a terminal', async () => {
    const api = await fakeApi(() => ({ body: {} }));
    expect(await platProcess(['clients', 'delete', 'cli_1'], { env: envFor(api), stdin: 'y\n' })).toMatchObject({
      code: 10,
    });
    expect(api.received).toEqual([]);
  });

  it('reads the key from stdin', async () => {
    const api = await fakeApi(() => ({ body: {} }));
    const env = { PLAT_BASE_URL: api.baseUrl };
    expect(await platProcess(['me', '--api-key-file', '-'], { env, stdin: 'plat_test_in\n' })).toMatchObject({
      code: 0,
    });
    expect(api.received[0]?.headers.authorization).toBe('Bearer plat_test_in');
  });

  it('exits quietly when its reader closes the pipe', async () => {
    const api = await fakeApi((request) => clientList(1_000_000, request));
    const child = spawnPlat(['clients', 'list', '--all', '--ndjson'], { env: envFor(api) });
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await endOf(child)).toEqual({ code: 0, stderr: '' });
  });

  it('continues when the reader of its notes has gone', async () => {
    const api = await fakeApi((request) => clientList(3, request));
    const folder = emptyFolder();
    mkdirSync(join(folder, '.plat'));
    const sandbox = { base_url: api.baseUrl, tenant_id: 'tnt_1', api_key: 'plat_test_other' };
    writeFileSync(join(folder, '.plat', 'sandbox.json'), JSON.stringify(sandbox));
    const child = spawnPlat(['clients', 'list', '--output', 'csv', '--fields', 'id,x,y'], {
      env: envFor(api),
      cwd: folder,
    });
    child.stderr?.destroy();
    let stdout = '';
    child.stdout?.on('data', (text) => {
      stdout += text;
    });
    expect(await endOf(child)).toMatchObject({ code: 0 });
    expect(stdout.split('\n')).toHaveLength(5);
  });

  it.each([
    ['a list', ['clients', 'list', '--all'], `Continue with --starting-after ${clientId(151)}.`],
    ['plat api --paginate', ['api', 'GET', '/v1/clients', '--paginate', '-q', 'limit=100'], undefined],
  ])('says after Ctrl-C how much of %s was written', async (_, args, next) => {
    const api = await fakeApi((request) =>
      request.query['starting_after'] === undefined ? clientList(250, request) : new Promise(() => {}),
    );
    for (const format of ['csv', 'ndjson']) {
      const child = spawnPlat([...args, '--output', format], { env: envFor(api) });
      const ended = endOf(child);
      let lines = format === 'csv' ? -1 : 0;
      for await (const text of child.stdout ?? []) {
        lines += String(text).split('\n').length - 1;
        if (lines === 100) child.kill('SIGINT');
      }
      const { code, stderr } = await ended;
      expect([code, lines]).toEqual([130, 100]);
      const message = 'Interrupted: 100 items were written';
      if (format === 'csv') expect(stderr).toBe(`error: ${message} (INTERRUPTED)\n${next ? `next: ${next}\n` : ''}`);
      else expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'INTERRUPTED', message }, exit_code: 130 });
    }
  });

  it.skipIf(!existsSync('/dev/full'))('reports that its result could not be written', async () => {
    const child = spawnPlat(['clients', 'create', '--help'], { stdout: openSync('/dev/full', 'w') });
    const { code, stderr } = await endOf(child);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: The result cannot be written \(ENOSPC\)/)]);
  });

  it.skipIf(!existsSync('/dev/full'))('reports it as a line of JSON with --json', async () => {
    const api = await fakeApi((request) => clientList(3, request));
    const stdout = openSync('/dev/full', 'w');
    const { code, stderr } = await endOf(spawnPlat(['clients', 'list', '--json'], { env: envFor(api), stdout }));
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { error: { code: 'UNWRITABLE_OUTPUT' }, exit_code: 1 }]);
  });

  it('reports that nothing listens at the address', async () => {
    const { code, stderr } = await platProcess(['me'], { env: envFor({ baseUrl: 'http://127.0.0.1:1' }) });
    expect(code).toBe(9);
    expect(stderr).toMatch(/ECONNREFUSED.*next: Check the address \(from PLAT_BASE_URL\)/s);
  });
});

describe('bin/plat.js', () => {
  it('reports that Node.js is too old', () => {
    const bin = new URL('../bin/plat.js', import.meta.url).href;
    const script = `Object.defineProperty(process.versions, 'node', { value: '20.19.0' }); await import(${JSON.stringify(bin)})`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^plat needs Node.js 22.16 or later; this is 20.19.0/);
  });

  it('can be run as a file', () => {
    const bin = fileURLToPath(new URL('../bin/plat.js', import.meta.url));
    expect(readFileSync(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

async function endOf(child: ChildProcess) {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, stderr };
}
