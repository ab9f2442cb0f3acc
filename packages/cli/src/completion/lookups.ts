import type { WordList, WordLists } from './word-lists.ts';

/** Writes a function that prints the words for the place it is given, and `always` after them. */
export type WriteFunction = (name: string, lists: readonly WordList[], always?: readonly string[]) => string;

/** The four functions that a script looks words up with. */
export function lookups(lists: WordLists, write: WriteFunction): string {
  return [
    write('__plat_commands', lists.commands),
    write('__plat_options', lists.options, lists.globalOptions),
    write('__plat_arguments', lists.arguments),
    write('__plat_values', lists.values),
  ].join('\n');
}
