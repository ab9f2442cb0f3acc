import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandWords, OPERATION_NAMES } from './command/words.ts';
import { CLI_ERROR_CODES } from './errors/cli-error.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

describe('the README', () => {
  it("lists each code of the CLI's own", () => {
    const [, listed = ''] = /one of the CLI's own\s+\(([^)]*)\)/.exec(readme) ?? [];
    const codes = new Set([...Object.keys(CLI_ERROR_CODES), ...codesOfChecks()]);
    expect([...listed.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code).sort()).toEqual([...codes].sort());
  });

  it('names the family of each operation', () => {
    const [, families = ''] = /The families: ([\s\S]*?)`plat <command> --help`/.exec(readme) ?? [];
    // Of those that stand together the last word is enough: `clients` (and their `locations`).
    const missing = OPERATION_NAMES.map((operation) => familyOf(commandWords(operation))).filter(
      (words) => !families.includes(`\`${words.join(' ')}\``) && !families.includes(`\`${words.at(-1)}\``),
    );
    expect(missing).toEqual([]);
  });
});

/** The words before the verb; of a command without one, all. */
function familyOf(words: readonly string[]): readonly string[] {
  return words.length > 1 ? words.slice(0, -1) : words;
}

/** What checks find, where it is the CLI that says so: such a code is a literal in the source. */
function codesOfChecks(): string[] {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  return sources
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [
      ...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/CheckFailedError\('([A-Z_]+)'/g),
    ])
    .map(([, code = '']) => code);
}
