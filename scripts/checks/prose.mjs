import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { at } from '../lib/paths.mjs';
import { runQuiet } from '../lib/run.mjs';
import { glossaryFile, rejectedWordings } from '../prose/glossary.mjs';
import { judgeWith } from '../prose/judge.mjs';
import { documentPassages, sourcePassages, wordsOf } from '../prose/passages.mjs';

const SOURCES = ['.ts', '.mjs', '.js'];
/** Made from comments, which are judged where they are written. */
const GENERATED = 'docs/api/';
/** Files that quote rejected wordings. */
const NOT_JUDGED = ['docs/glossary.md', 'scripts/prose/prose.test.mjs'];

/** Checks that names, comments, messages and documents use the terms of docs/glossary.md, in short sentences. */
export const prose = {
  name: 'Plain English: terms of docs/glossary.md, short sentences',
  run: async () => {
    const faults = proseFaults(await committedFiles());
    const shown = faults.map(({ path, line, fault }) => `${path}:${line} ${fault}`);
    return { ok: faults.length === 0, output: [...shown, `${faults.length} faults. See docs/glossary.md.`].join('\n') };
  },
};

/**
 * @param {string[]} paths relative to the repository
 * @returns {{ path: string, line: number, fault: string }[]}
 */
export function proseFaults(paths) {
  const judge = judgeWith(rejectedWordings(readFileSync(glossaryFile, 'utf8')));
  return paths.flatMap((path) =>
    passagesOf(path).flatMap((passage) => judge(passage).map((fault) => ({ path, line: passage.line, fault }))),
  );
}

function passagesOf(path) {
  const text = readFileSync(at(path), 'utf8');
  const name = { kind: 'name', line: 1, text: wordsOf(basename(path)) };
  return [name, ...(extname(path) === '.md' ? documentPassages(text) : sourcePassages(path, text))];
}

/** Returns the files to be judged, relative to the repository. */
export async function committedFiles() {
  const { ok, output } = await runQuiet('git', ['ls-files', '--cached', '--others', '--exclude-standard']);
  if (!ok) throw new Error(output);
  return output
    .split('\n')
    .filter((path) => [...SOURCES, '.md'].includes(extname(path)))
    .filter((path) => !NOT_JUDGED.includes(path) && !path.startsWith(GENERATED));
}
