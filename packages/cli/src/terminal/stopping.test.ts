import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { run } from '../run.ts';
import { emptyFolder } from '../testing/plat.ts';

it.each([
  ['requests', 'tail'],
  ['listen', '--to', 'http://127.0.0.1:9'],
])('plat %s %s ends at the first signal while it reads the key from stdin', async (...command) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const handlers = process.listenerCount('SIGINT');
  const ended = run([...command, '--api-key-file', '-'], { stdin, stdout, stderr, env: {}, cwd: emptyFolder() });
  await vi.waitUntil(() => stdin.listenerCount('readable') > 0, { timeout: 60_000 });
  expect(process.listenerCount('SIGINT')).toBe(handlers);
  stdin.end();
  expect(await ended).toBe(EXIT_CODES.auth);
});
