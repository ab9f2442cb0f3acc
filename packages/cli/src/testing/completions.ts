import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from './plat.ts';

/** Shells that run completion scripts in tests. PowerShell is not available on our machines. */
export type TestedShell = 'bash' | 'zsh' | 'fish';

declare module 'vitest' {
  interface ProvidedContext {
    /** Shells found on this machine, or required. */
    readonly shells: readonly string[];
  }
}

/** The only file in the folder of the completion. */
export const FILE = 'key.txt';

/**
 * Returns the sorted completions of a shell for each line. Bash runs the registered function; zsh and fish run their
 * full completion.
 * @throws Error for a missing shell, or output on stderr
 */
export function completionsOf(
  shell: TestedShell,
  script: string,
  lines: readonly string[],
): Readonly<Record<string, string[]>> {
  const home = emptyFolder();
  const cwd = join(home, 'cwd');
  mkdirSync(cwd);
  writeFileSync(join(cwd, FILE), '');
  // The file name that zsh expects in its fpath.
  writeFileSync(join(home, '_plat'), script);
  writeFileSync(join(home, 'ask.zsh'), ASK_ZSH);
  const env = { PATH: process.env['PATH'], HOME: home, TERM: 'dumb' };
  const { error, status, stdout, stderr } = spawnSync(shell, [...ASK[shell], ...lines], { cwd, env, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0 || stderr !== '') throw new Error(`${shell} ended with ${status}: ${stderr}`);
  const answers = stdout.split(BEGIN).slice(1).map(wordsOf);
  return Object.fromEntries(lines.map((line, index) => [line, answers[index] ?? []]));
}

/** Separator that the programs below print before the words for a line. */
const BEGIN = '== offered\n';

function wordsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((word) => word !== '')
    .sort();
}

const BASH = `source ~/_plat
COMP_WORDBREAKS=$' \t\n"\\'><=;|&(:'
for COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}
  echo '== offered'
  __plat_complete
  (( \${#COMPREPLY[@]} )) && printf '%s\n' "\${COMPREPLY[@]}"
done
exit 0`;

/**
 * Zsh completes only in the line editor, which needs a terminal (zpty). Completions pass through compadd; calls with
 * -A, -O or -D only filter.
 */
const ASK_ZSH = `fpath=(~ $fpath)
autoload -Uz compinit && compinit -u -D
zstyle ':completion:*' completer _complete
compadd() {
  if (( \${argv[(I)-[AOD]]} )); then builtin compadd "$@"; return; fi
  local -a found
  builtin compadd -O found "$@"
  (( \${#found} )) && print -rl -- $IPREFIX\${^found} >>~/offered
}
zle -C ask .list-choices _main_complete
zle-line-init() {
  for BUFFER in "\${(f@)PLAT_LINES}"; do
    CURSOR=\${#BUFFER}
    print '== offered' >>~/offered
    zle ask
  done
  exit
}
zle -N zle-line-init`;

const ZSH = `zmodload zsh/zpty
export PLAT_LINES="\${(F)@}"
zpty asked zsh -f -i
zpty -w asked 'source ~/ask.zsh'
while zpty -r asked said; do :; done
cat ~/offered`;

const FISH = `source ~/_plat
for line in $argv
    echo '== offered'
    complete -C $line
end`;

const ASK: Readonly<Record<TestedShell, readonly string[]>> = {
  bash: ['--norc', '--noprofile', '-u', '-c', BASH, 'bash'],
  zsh: ['-f', '-c', ZSH, 'zsh'],
  fish: ['--no-config', '-c', FISH],
};
