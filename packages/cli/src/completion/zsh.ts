import { caseFunction } from './posix-case.ts';
import type { WordLists } from './word-lists.ts';

/** The script for zsh: a function of `fpath`, or a file to be sourced behind `compinit`. */
export function zshScript(lists: WordLists): string {
  return `#compdef plat
# Completion of plat for zsh; made by: plat completion zsh
${caseFunction('__plat_commands', lists.commands)}
${caseFunction('__plat_options', lists.options, lists.globalOptions)}
${caseFunction('__plat_arguments', lists.arguments)}
${caseFunction('__plat_values', lists.values)}
${COMPLETE}`;
}

const COMPLETE = `_plat() {
  local at='' option='' found='' word i
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n "$option" ]]; then
      option=''
    elif [[ "$word" == -- ]]; then
      _files
      return
    elif [[ "$word" == --*=* ]]; then
      :
    elif [[ "$word" == -* ]]; then
      [[ -n "$(__plat_values "$at|$word")" ]] && option="$word"
    elif [[ " $(__plat_commands "$at") " == *" $word "* && "$word" != help ]]; then
      at="\${at:+$at }$word"
    fi
  done
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
