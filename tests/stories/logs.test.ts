import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('in production, every line of a server and a worker is JSON, from the start to the end', async () => {
  const dataDir = join(tempFolder('logs').path, 'data');
  const env = {
    NODE_ENV: 'production',
    PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
    PLAT_COMMIT: 'abcdef0',
  };
  const server = await startServerProcess(env, dataDir);
  const worker = await startWorkerProcess(env, dataDir);
  const { headers } = await apiOf(server.baseUrl, 'wrong')('/v1/clients');
  await worker.stop();
  await server.stop();
  expect(server.stderr() + worker.stderr()).toBe('');

  const lines = linesOf(server.stdout());
  const build = {
    version: expect.stringMatching(/^\d+\./),
    commit: 'abcdef0',
    schema: expect.stringMatching(/^\d{4}-/),
  };
  expect(lines[0]).toMatchObject({ msg: 'starting', kind: 'server', pid: server.pid, ...build });
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'ready', url: server.baseUrl, database: 'sqlite', ...build }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'request', status: 401, req_id: headers.get('x-request-id') }),
  );
  expect(lines.slice(-2)).toMatchObject([{ msg: 'stopping', signal: 'SIGTERM' }, { msg: 'stopped' }]);

  const ofWorker = linesOf(worker.stdout());
  expect(ofWorker.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['starting', 'ready', 'stopping', 'stopped']));
});

test('a process that is not ready logs the reason once, no line for each probe, and never that it is ready', async () => {
  const dataDir = join(tempFolder('logs').path, 'data');
  const env = () => ({ NODE_ENV: 'production', PLAT_MASTER_KEY: randomBytes(32).toString('base64') });
  await (await startServerProcess(env(), dataDir)).stop();
  const server = await startServerProcess(env(), dataDir);
  for (const _probe of [1, 2, 3]) expect((await apiOf(server.baseUrl)('/readyz')).status).toBe(503);
  const worker = await startWorkerProcess(env(), dataDir);
  await worker.stop();
  await server.stop();
  for (const { stdout } of [server, worker]) {
    const lines = linesOf(stdout());
    expect(lines.filter(({ level }) => level >= 50)).toEqual([
      expect.objectContaining({ msg: expect.stringMatching(/^not ready: PLAT_MASTER_KEY cannot decrypt/) }),
    ]);
    expect(lines.map(({ msg }) => msg)).toContain('listening');
    expect(lines.map(({ msg }) => msg)).not.toContain('ready');
  }
  expect(linesOf(server.stdout())).toContainEqual(expect.objectContaining({ msg: 'listening', url: server.baseUrl }));
});

function linesOf(text: string): { readonly level: number; readonly msg?: string }[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
