import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandWords, OPERATION_NAMES } from '@plat/contract';
import { describe, expect, it } from 'vitest';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

describe('the README', () => {
  it('names the family of each operation', () => {
    const [, families = ''] = /The families: ([\s\S]*?)`plat <command> --help`/.exec(readme) ?? [];
    // Nested families may be named by their last word: `clients` (and their `locations`).
    const missing = OPERATION_NAMES.map((operation) => familyOf(commandWords(operation))).filter(
      (words) => !families.includes(`\`${words.join(' ')}\``) && !families.includes(`\`${words.at(-1)}\``),
    );
    expect(missing).toEqual([]);
  });
});

/** Returns the words before the verb; all words of a command without a verb. */
function familyOf(words: readonly string[]): readonly string[] {
  return words.length > 1 ? words.slice(0, -1) : words;
}
