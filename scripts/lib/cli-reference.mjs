import { Readable, Writable } from 'node:stream';
import { at } from './paths.mjs';

export const cliReferenceFile = at('docs', 'cli-reference.md');

/** Returns the page that the built `plat` prints about its commands. */
export async function cliReferenceText() {
  const { run } = await import('@plat/cli');
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const io = { stdin: Readable.from([]), stdout, stderr: process.stderr, env: {}, cwd: at() };
  const code = await run(['commands', '--markdown'], io);
  if (code !== 0) throw new Error(`plat commands --markdown ended with ${code}`);
  return text;
}
