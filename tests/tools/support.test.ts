import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { spawnNode } from '../support/process.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('support');
afterAll(() => folder.remove());

const script = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const endless = 'setInterval(() => {}, 1000);';

describe('spawnNode', () => {
  it('resolves to the match on either output stream', async () => {
    const run = spawnNode(script('say.mjs', `console.log('port', 4010); console.error('ready'); ${endless}`));
    expect((await run.waitFor(/port (\d+)/))[1]).toBe('4010');
    await run.waitFor(/ready/);
    expect(await run.stop()).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('rejects with the output when the process ends before a match', async () => {
    const run = spawnNode(script('fail.mjs', "console.error('port in use'); process.exit(1);"));
    await expect(run.waitFor(/listening/)).rejects.toThrow(/ended \(1\)[\s\S]*port in use/);
  });

  it('passes on only the environment variables that a process needs', async () => {
    const run = spawnNode(script('env.mjs', 'console.log(JSON.stringify(process.env));'), { env: { PORT: '0' } });
    await run.exited;
    const env: Record<string, string> = JSON.parse(run.stdout());
    expect(env).toMatchObject({ PORT: '0', PATH: process.env['PATH'] });
    expect(env).not.toHaveProperty('VITEST');
  });

  it('kills without running any handler', async () => {
    const run = spawnNode(script('stubborn.mjs', `process.on('SIGTERM', () => {}); console.log('up'); ${endless}`));
    await run.waitFor(/up/);
    expect(await run.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('ends when its parent is killed', async () => {
    const child = script('child.mjs', endless);
    const parent = script(
      'parent.ts',
      `import { spawnNode } from '${join(import.meta.dirname, '../support/process.ts')}';
       console.log('child', spawnNode('${child}').pid);
       ${endless}`,
    );
    const run = spawnNode(parent);
    const [, pid] = await run.waitFor(/child (\d+)/);
    await run.kill9();
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
  });
});

describe.skipIf(!hasRedis())('startRedis', () => {
  it('leaves nothing behind, and can start again on its port', async () => {
    const redis = await startRedis();
    await redis.kill();
    expect(existsSync(redis.folder)).toBe(false);
    const again = await startRedis(Number(new URL(redis.url).port));
    expect(again.url).toBe(redis.url);
    await again.stop();
    expect(isRunning(again.pid)).toBe(false);
  });
});

describe.skipIf(!hasPostgres())('startPostgres', () => {
  it('accepts queries, and leaves nothing behind', async () => {
    const postgres = await startPostgres();
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await postgres.stop();
    expect(isRunning(postgres.pid)).toBe(false);
    expect(existsSync(postgres.folder)).toBe(false);
  });
});

/** A zombie has ended too: the process that reaps it depends on the system. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
