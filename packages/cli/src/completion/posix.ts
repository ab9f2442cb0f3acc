import type { WriteFunction } from './lookups.ts';

/** Lookup function for bash and zsh. */
export const caseFunction: WriteFunction = (name, lists, always = []) => {
  const cases = lists.map(
    ({ places, words }) => `    ${places.map(pattern).join(' | ')}) printf '%s ' ${quoted(words)} ;;`,
  );
  const rest = always.length > 0 ? `\n  printf '%s ' ${quoted(always)}` : '';
  return `${name}() {\n  case "$1" in\n${cases.join('\n')}\n  esac${rest}\n}`;
};

/**
 * Returns the bash and zsh loop over the words (array `words`) before the one to complete. It sets `at` to the
 * command, and `option` to an option whose value comes next.
 * @param afterDashes - code that completes the words after `--`
 */
export function wordWalk(from: number, until: string, afterDashes: string): string {
  return `for ((i = ${from}; i < ${until}; i++)); do
    word="\${words[i]}"
    if [[ -n "$option" ]]; then
      option=''
    elif [[ "$word" == -- ]]; then
      ${afterDashes}
    elif [[ "$word" == --*=* ]]; then
      :
    elif [[ "$word" == -* ]]; then
      [[ -n "$(__plat_values "$at|$word")" ]] && option="$word"
    elif [[ " $(__plat_commands "$at") " == *" $word "* && "$word" != help ]]; then
      at="\${at:+$at }$word"
    fi
  done`;
}

/** `*|--output` matches every command: the star is a wildcard, the rest is literal. */
function pattern(place: string): string {
  return place.startsWith('*|') ? `*'${place.slice(1)}'` : `'${place}'`;
}

function quoted(words: readonly string[]): string {
  return `'${words.join(' ')}'`;
}
