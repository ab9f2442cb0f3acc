import type { CommandNode, OptionNode } from '../reference/tree.ts';
import type { Values } from '../reference/values.ts';

/**
 * Completions by place, for all scripts. The place of a command is its words, empty for `plat` itself. The place of a
 * value is `<command>|<option>`, or `*|<option>` for an option of every command.
 */
export interface WordLists {
  readonly commands: readonly WordList[];
  readonly options: readonly WordList[];
  readonly arguments: readonly WordList[];
  /** The first item of each list is its kind: `words`, `list` (separated by commas) or `any`. */
  readonly values: readonly WordList[];
  readonly globalOptions: readonly string[];
}

/** A list of words and the places where it applies. */
export interface WordList {
  readonly places: readonly string[];
  readonly words: readonly string[];
}

/** Builds the lists from a command tree, whose root comes first. */
export function wordListsOf([root, ...commands]: readonly CommandNode[]): WordLists {
  if (!root) throw new Error('the tree has no root');
  const all = [root, ...commands];
  return {
    commands: grouped(all.map(({ name, commands }) => [name, name === '' ? [...commands, 'help'] : commands])),
    options: grouped(commands.map(({ name, options }) => [name, options.flatMap(spellings)])),
    arguments: grouped(
      commands.map(({ name, arguments: args }) => [name, args.flatMap(({ values }) => values?.words ?? [])]),
    ),
    values: grouped(
      all.flatMap(({ name, options }) =>
        options
          .filter(({ value }) => value !== null)
          .flatMap((option) => valueEntries(name === '' ? '*' : name, option)),
      ),
    ),
    globalOptions: [...root.options.flatMap(spellings), '-h', '--help'],
  };
}

type Entry = readonly [place: string, words: readonly string[]];

function valueEntries(name: string, option: OptionNode): readonly Entry[] {
  const words = [kindOf(option.values), ...(option.values?.words ?? [])];
  return spellings(option).map((spelling) => [`${name}|${spelling}`, words]);
}

function kindOf(values: Values | null): string {
  if (!values) return 'any';
  return values.list ? 'list' : 'words';
}

function spellings({ long, short }: OptionNode): readonly string[] {
  return [...(short === null ? [] : [short]), ...(long === '' ? [] : [long])];
}

/** Groups places with the same words, so that a script contains the event types once. */
function grouped(entries: readonly Entry[]): readonly WordList[] {
  const lists = new Map<string, { places: string[]; words: readonly string[] }>();
  for (const [place, words] of entries) {
    if (words.length === 0) continue;
    const key = words.join(' ');
    const known = lists.get(key);
    if (known) known.places.push(place);
    else lists.set(key, { places: [place], words });
  }
  return [...lists.values()];
}
