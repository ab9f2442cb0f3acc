import { Readable, Writable } from 'node:stream';
import { at } from './paths.mjs';

/** Folder of the reference of `plat`. */
export const cliReferenceFolder = at('docs', 'cli');

/**
 * Returns the pages that the built `plat` prints about its commands, by the names of their files.
 * @returns {Promise<Map<string, string>>}
 */
export async function cliReferencePages() {
  const { run } = await import('@plat/cli');
  const printed = async (...args) => {
    let text = '';
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    const io = { stdin: Readable.from([]), stdout, stderr: process.stderr, env: {}, cwd: at() };
    const code = await run(['commands', ...args], io);
    if (code !== 0) throw new Error(`plat commands ${args.join(' ')} ended with ${code}`);
    return text;
  };
  const { commands } = JSON.parse(await printed('--json'));
  const groups = commands.map(({ name }) => name).filter((name) => !name.includes(' '));
  const pages = new Map([['README.md', await printed('--markdown')]]);
  for (const group of groups) pages.set(`${group}.md`, await printed(group, '--markdown'));
  return pages;
}
