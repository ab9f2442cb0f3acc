import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A server whose stdout is a file descriptor of this process. */
async function startWithStdout(stdout: number) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const running = spawnNode('packages/server/src/main.ts', {
    stdout,
    env: {
      ...{ PORT: String(port), PLAT_METRICS_PORT: String(metricsPort), LOG_FORMAT: 'json' },
      PLAT_DATA_DIR: join(tempFolder('log').path, 'data'),
    },
  });
  closeSync(stdout);
  const at = `http://127.0.0.1:${port}`;
  const status = (path: string) => fetch(at + path).then((response) => response.status);
  await expect.poll(() => status('/readyz').catch(() => 0)).toBe(200);
  return {
    ...running,
    status,
    /** Sends requests whose log lines have 300 KiB in all. */
    async log() {
      const path = `/v1/${'x'.repeat(8_000)}`;
      await Promise.all(Array.from({ length: 40 }, () => status(path)));
    },
    async dropped() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^plat_log_dropped_total (\d+)$/m.exec(text)?.[1] ?? 0);
    },
  };
}

test('a log without a reader stops no request: its lines are dropped and counted until it is read again', async () => {
  const folder = tempFolder('fifo');
  const path = join(folder.path, 'stdout');
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const server = await startWithStdout(openSync(path, constants.O_WRONLY));
  await expect
    .poll(async () => {
      await server.log();
      return server.dropped();
    })
    .toBeGreaterThan(0);
  expect(await server.status('/livez')).toBe(200);

  const buffer = Buffer.alloc(1024 * 1024);
  let text = '';
  const read = (): string => {
    try {
      text += buffer.toString('utf8', 0, readSync(reader, buffer));
    } catch {
      // Empty for the moment.
    }
    return text;
  };
  await expect.poll(read).toContain('log lines were dropped');
  const lines = text.slice(text.indexOf('{')).split('\n').slice(0, -1);
  for (const line of lines) if (line.startsWith('{')) expect(() => JSON.parse(line)).not.toThrow();
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  closeSync(reader);
});

test('a full disk below the log stops neither a request nor the process', async () => {
  const server = await startWithStdout(openSync('/dev/full', 'w'));
  for (let i = 0; i < 5; i++) await server.log();
  expect(await server.dropped()).toBeGreaterThan(0);
  expect(await server.status('/livez')).toBe(200);
  expect(await server.stop(), server.stderr()).toEqual({ code: 0, signal: null });
});
