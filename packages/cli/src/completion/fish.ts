import type { WordList, WordLists } from './word-lists.ts';

/** The script for fish. */
export function fishScript(lists: WordLists): string {
  return `# Completion of plat for fish; made by: plat completion fish
${switchFunction('__plat_commands', lists.commands)}
${switchFunction('__plat_options', lists.options, lists.globalOptions)}
${switchFunction('__plat_arguments', lists.arguments)}
${switchFunction('__plat_values', lists.values)}
${COMPLETE}`;
}

function switchFunction(name: string, lists: readonly WordList[], always: readonly string[] = []): string {
  const cases = lists.map(
    ({ places, words }) =>
      `        case ${places.map(quoted).join(' ')}\n            string split ' ' -- ${quoted(words.join(' '))}`,
  );
  const rest = always.length > 0 ? `\n    string split ' ' -- ${quoted(always.join(' '))}` : '';
  return `function ${name}\n    switch "$argv[1]"\n${cases.join('\n')}\n    end${rest}\nend`;
}

/** A star within quotes is a wildcard of \`case\`, which is what the places of every command mean. */
function quoted(text: string): string {
  return `'${text}'`;
}

const COMPLETE = `function __plat_complete
    set -l at ''
    set -l option ''
    set -l tokens (commandline -opc)
    for word in $tokens[2..]
        if test -n "$option"
            set option ''
        else if test "$word" = --
            return
        else if string match -q -- '--*=*' "$word"
            continue
        else if string match -q -- '-*' "$word"
            test -n "$(__plat_values "$at|$word")"; and set option "$word"
        else if test "$word" != help; and contains -- "$word" (__plat_commands "$at")
            set at (string trim -- "$at $word")
        end
    end
    set -l current (commandline -ct)
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
            __fish_complete_path "$current"
        end
    else if string match -q -- '-*' "$current"
        __plat_options "$at"
    else
        __plat_commands "$at"
        __plat_arguments "$at"
    end
end
complete -c plat -f -a '(__plat_complete)'
`;
