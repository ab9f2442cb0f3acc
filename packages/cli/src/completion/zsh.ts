import { lookups } from './lookups.ts';
import { caseFunction, wordWalk } from './posix.ts';
import type { WordLists } from './word-lists.ts';

/** Returns the script for zsh: a function for `fpath`, or a file to source after `compinit`. */
export function zshScript(lists: WordLists): string {
  return `#compdef plat
# Completion of plat for zsh; made by: plat completion zsh
${lookups(lists, caseFunction)}
${COMPLETE}`;
}

const COMPLETE = `_plat() {
  local at='' option='' found='' word i
  local -a list
  ${wordWalk(2, 'CURRENT', '_files; return')}
  word="\${words[CURRENT]}"
  if [[ -z "$option" && "$word" == --*=* ]]; then
    option="\${word%%=*}"
    compset -P '*='
  fi
  if [[ -n "$option" ]]; then
    found="$(__plat_values "$at|$option")"
    case "$found" in
      'words '*) ;;
      'list '*) compset -P '*,' ;;
      *)
        _files
        return
        ;;
    esac
    found="\${found#* }"
  elif [[ "$word" == -* ]]; then
    found="$(__plat_options "$at")"
  else
    found="$(__plat_commands "$at")$(__plat_arguments "$at")"
  fi
  list=(\${=found})
  if (( \${#list} )); then
    compadd -a list
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _plat ]]; then
  _plat "$@"
else
  compdef _plat plat
fi
`;
