import { lookups } from './lookups.ts';
import { caseFunction, wordWalk } from './posix.ts';
import type { WordLists } from './word-lists.ts';

/** Returns the script for bash 3.2 and later. It does not need the package bash-completion. */
export function bashScript(lists: WordLists): string {
  return `# Completion of plat for bash; made by: plat completion bash
${lookups(lists, caseFunction)}
${COMPLETE}`;
}

/**
 * The script splits the line at blanks itself, since bash also splits at the colon of `clients:read`. For bash the
 * word starts after the last such character, so the replies omit the part before it.
 */
const COMPLETE = `__plat_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" at='' option='' before='' cut='' found='' i last typed current word
  local -a words list
  COMPREPLY=()
  read -ra words <<<"$line"
  case "$line" in *[[:space:]]) words+=('') ;; esac
  last=$((\${#words[@]} - 1))
  ${wordWalk(1, 'last', 'return')}
  typed="\${words[last]}"
  current="$typed"
  if [[ -z "$option" && "$current" == --*=* ]]; then
    option="\${current%%=*}"
    before="$option="
    current="\${current#*=}"
  fi
  if [[ -n "$option" ]]; then
    found="$(__plat_values "$at|$option")"
    case "$found" in
      'words '*) ;;
      'list '*)
        if [[ "$current" == *,* ]]; then
          before="$before\${current%,*},"
          current="\${current##*,}"
        fi
        ;;
      *) return ;;
    esac
    found="\${found#* }"
  elif [[ "$current" == -* ]]; then
    found="$(__plat_options "$at")"
  else
    found="$(__plat_commands "$at")$(__plat_arguments "$at")"
  fi
  [[ "$COMP_WORDBREAKS" == *=* && "$typed" == *=* ]] && cut="\${typed%"\${typed##*=}"}"
  [[ "$COMP_WORDBREAKS" == *:* && "$typed" == *:* ]] && cut="\${typed%"\${typed##*:}"}"
  read -ra list <<<"$found"
  for word in "\${list[@]}"; do
    if [[ "$word" == "$current"* ]]; then
      word="$before$word"
      COMPREPLY+=("\${word#"$cut"}")
    fi
  done
}
complete -o default -F __plat_complete plat
`;
