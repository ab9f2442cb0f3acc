import { spawnSync } from 'node:child_process';
import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES, ALL_SCOPES } from '@plat/contract';
import { describe, expect, inject, it } from 'vitest';
import type { CommandNode } from '../reference/tree.ts';
import { completionsOf, FILE, type TestedShell } from '../testing/completions.ts';
import { plat } from '../testing/plat.ts';
import { SHELLS } from './shells.ts';

const scripts = new Map<string, string>();
for (const shell of SHELLS) scripts.set(shell, (await plat(['completion', shell], { cwd: '/' })).stdout);

const hasShell = (shell: TestedShell): boolean => inject('shells').includes(shell);

const script = (shell: TestedShell): string => scripts.get(shell) ?? '';

/** Line → completions of every shell at its end. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  'plat cli': ['clients'],
  'plat clients lo': ['locations'],
  'plat clients locations cr': ['create'],
  'plat help clients up': ['update'],
  'plat clients list --st': ['--starting-after', '--status'],
  'plat clients list --status ': ['active', 'inactive'],
  'plat clients list --status active --ou': ['--output'],
  'plat --output json me --fi': ['--fields'],
  'plat completion z': ['zsh'],
  'plat explain GRANT_': ['GRANT_LOCKED', 'GRANT_STORE_FAILED'],
  'plat explain INSUF': ['INSUFFICIENT_SCOPE'],
  'plat trigger ': [...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES].toSorted(),
  'plat webhooks send --type installation.re': ['installation.reuse_detected', 'installation.revoked'],
  'plat apps webhooks endpoints create --events app.v': ['app.verified'],
  'plat listen --events client.c': ['client.created'],
  'plat listen --app app_1 --events installation.a': ['installation.authorized'],
  'plat trigger group.member_': ['group.member_added', 'group.member_removed'],
  'plat webhooks endpoints create --events client.c': ['client.created'],
  'plat webhooks endpoints create --events user.invited,client.c': ['user.invited,client.created'],
  'plat --base-url https://example.com clients ge': ['get'],
  'plat keys mint --scopes ': ALL_SCOPES.toSorted(),
  'plat listen --to http://x -- cl': [],
  'plat nothing-like-it': [],
};

/** Bash starts a word at `=` and `:`, and offers files itself. */
const OFFERED_IN_BASH = {
  'plat clients list --output=cs': ['csv'],
  'plat keys mint --scopes clients:': ['read', 'write'],
  'plat keys mint --scopes me:read,clients:w': ['write'],
  'plat me --api-key-file ': [],
  'plat me --api-key-file=k': [],
  'plat listen --to http://x -- ke': [],
};
const OFFERED_ELSEWHERE = {
  'plat clients list --output=cs': ['--output=csv'],
  'plat keys mint --scopes clients:': ['clients:read', 'clients:write'],
  'plat keys mint --scopes me:read,clients:w': ['me:read,clients:write'],
  'plat me --api-key-file ': [FILE],
  'plat me --api-key-file=k': [`--api-key-file=${FILE}`],
  'plat listen --to http://x -- ke': [FILE],
};

describe.each(['bash', 'zsh', 'fish'] as const)('the completion of %s', (shell) => {
  it.runIf(hasShell(shell))('offers commands, options and values where they fit', () => {
    const expected = { ...OFFERED, ...(shell === 'bash' ? OFFERED_IN_BASH : OFFERED_ELSEWHERE) };
    expect(completionsOf(shell, script(shell), Object.keys(expected))).toEqual(expected);
  });

  it.runIf(hasShell(shell))('offers the commands of plat, and help', () => {
    const { 'plat ': words } = completionsOf(shell, script(shell), ['plat ']);
    expect(words).toEqual(expect.arrayContaining(['clients', 'explain', 'help']));
  });
});

describe('a script that is sourced', () => {
  it.runIf(hasShell('bash'))('is registered for plat in bash', () => {
    expect(sourced('bash', ['--norc'], `${script('bash')}\ncomplete -p plat`)).toBe(
      'complete -o default -F __plat_complete plat\n',
    );
  });

  it.runIf(hasShell('zsh'))('is registered for plat in zsh, behind compinit', () => {
    const program = `autoload -Uz compinit; compinit -u -D\n${script('zsh')}\nprint $_comps[plat]`;
    expect(sourced('zsh', ['-f'], program)).toBe('_plat\n');
  });
});

function sourced(shell: TestedShell, flags: readonly string[], program: string): string {
  return spawnSync(shell, [...flags, '-c', program], { encoding: 'utf8' }).stdout;
}

describe('the script of every shell', () => {
  it.each(SHELLS)('of %s has every command and option', async (shell) => {
    const script = scripts.get(shell) ?? '';
    const { commands }: { commands: CommandNode[] } = JSON.parse((await plat(['commands', '--json'])).stdout);
    for (const { name, options } of commands) {
      expect(script).toContain(name.split(' ').at(-1));
      for (const { long } of options) expect(script, name).toContain(long);
    }
  });

  it('exists for the supported shells only', async () => {
    const { code, stderr } = await plat(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish, powershell');
  });
});
