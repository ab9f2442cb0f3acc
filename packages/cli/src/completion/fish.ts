import { lookups, type WriteFunction } from './lookups.ts';
import type { WordLists } from './word-lists.ts';

/** Returns the script for fish. */
export function fishScript(lists: WordLists): string {
  return `# Completion of plat for fish; made by: plat completion fish
${lookups(lists, switchFunction)}
${COMPLETE}`;
}

const switchFunction: WriteFunction = (name, lists, always = []) => {
  const cases = lists.map(
    ({ places, words }) =>
      `        case ${places.map(quoted).join(' ')}\n            string split ' ' -- ${quoted(words.join(' '))}`,
  );
  const rest = always.length > 0 ? `\n    string split ' ' -- ${quoted(always.join(' '))}` : '';
  return `function ${name}\n    switch "$argv[1]"\n${cases.join('\n')}\n    end${rest}\nend`;
};

/** A quoted star is a wildcard of `case`, as the places for every command require. */
function quoted(text: string): string {
  return `'${text}'`;
}

/** Fish offers only what this prints, so it lists files too, each with the part of the word up to `=`. */
const COMPLETE = `function __plat_files
    for file in (__fish_complete_path "$argv[2]")
        echo "$argv[1]$file"
    end
end
function __plat_complete
    set -l at ''
    set -l option ''
    set -l tokens (commandline -opc)
    set -l current (commandline -ct)
    for word in $tokens[2..]
        if test -n "$option"
            set option ''
        else if test "$word" = --
            __plat_files '' "$current"
            return
        else if string match -q -- '--*=*' "$word"
            continue
        else if string match -q -- '-*' "$word"
            test -n "$(__plat_values "$at|$word")"; and set option "$word"
        else if test "$word" != help; and contains -- "$word" (__plat_commands "$at")
            set at (string trim -- "$at $word")
        end
    end
    set -l before ''
    if test -z "$option"; and string match -q -- '--*=*' "$current"
        set option (string replace -r '=.*' '' -- "$current")
        set before "$option="
        set current (string replace -r '^[^=]*=' '' -- "$current")
    end
    if test -n "$option"
        set -l found (__plat_values "$at|$option")
        if test "$found[1]" = list; and string match -q -- '*,*' "$current"
            set before "$before"(string replace -r '[^,]*$' '' -- "$current")
        end
        if contains -- "$found[1]" words list
            printf '%s\\n' "$before"$found[2..]
        else
            __plat_files "$before" "$current"
        end
    else if string match -q -- '-*' "$current"
        __plat_options "$at"
    else
        set -l words (__plat_commands "$at") (__plat_arguments "$at")
        if test -n "$words"
            printf '%s\\n' $words
        else
            __plat_files '' "$current"
        end
    end
end
complete -c plat -f -a '(__plat_complete)'
`;
