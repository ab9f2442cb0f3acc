import type { WordList, WordLists } from './word-lists.ts';

/** Writes a shell function that prints the words for a place, followed by `always`. */
export type WriteFunction = (name: string, lists: readonly WordList[], always?: readonly string[]) => string;

/** Returns the four lookup functions of a script. */
export function lookups(lists: WordLists, write: WriteFunction): string {
  return [
    write('__plat_commands', lists.commands),
    write('__plat_options', lists.options, lists.globalOptions),
    write('__plat_arguments', lists.arguments),
    write('__plat_values', lists.values),
  ].join('\n');
}
