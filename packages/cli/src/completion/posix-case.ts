import type { WordList } from './word-lists.ts';

/** A function of bash and zsh that prints the words for a place. */
export function caseFunction(name: string, lists: readonly WordList[], always: readonly string[] = []): string {
  const cases = lists.map(
    ({ places, words }) => `    ${places.map(pattern).join(' | ')}) printf '%s ' ${quoted(words)} ;;`,
  );
  const rest = always.length > 0 ? `\n  printf '%s ' ${quoted(always)}` : '';
  return `${name}() {\n  case "$1" in\n${cases.join('\n')}\n  esac${rest}\n}`;
}

/** `*|--output` is for every command: the star matches, the rest is literal. */
function pattern(place: string): string {
  return place.startsWith('*|') ? `*'${place.slice(1)}'` : `'${place}'`;
}

function quoted(words: readonly string[]): string {
  return `'${words.join(' ')}'`;
}
