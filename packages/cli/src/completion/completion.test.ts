import { spawnSync } from 'node:child_process';
import { ALL_EVENT_TYPES, ALL_SCOPES } from '@plat/contract';
import { describe, expect, it } from 'vitest';
import type { CommandNode } from '../reference/tree.ts';
import { plat } from '../testing/plat.ts';
import { SHELLS } from './shells.ts';

const scripts = new Map<string, string>();
for (const shell of SHELLS) scripts.set(shell, (await plat(['completion', shell], { cwd: '/' })).stdout);

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** What bash offers for a line when Tab is pressed at its end. */
function offered(line: string): string[] {
  const program = `${scripts.get('bash')}
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
COMP_LINE="$1" COMP_POINT=\${#1}
__plat_complete
(( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"
exit 0`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile', '-u', '-c', program, 'bash', line], {
    encoding: 'utf8',
  });
  expect([status, stderr], line).toEqual([0, '']);
  return stdout.split('\n').filter((word) => word !== '');
}

describe.skipIf(!isInstalled('bash'))('the completion of bash', () => {
  it.each([
    ['plat cli', ['clients']],
    ['plat clients lo', ['locations']],
    ['plat clients locations cr', ['create']],
    ['plat help clients up', ['update']],
    ['plat clients list --st', ['--status', '--starting-after']],
    ['plat clients list --status ', ['active', 'inactive']],
    ['plat clients list --status active --ou', ['--output']],
    ['plat clients list --output=cs', ['csv']],
    ['plat --output json me --fi', ['--fields']],
    ['plat completion z', ['zsh']],
    ['plat trigger group.member_', ['group.member_added', 'group.member_removed']],
    ['plat webhooks endpoints create --events client.c', ['client.created']],
    ['plat webhooks endpoints create --events user.invited,client.c', ['user.invited,client.created']],
    ['plat --base-url https://example.com clients ge', ['get']],
    ['plat clients list --base-url ', []],
    ['plat listen --to http://x -- cl', []],
    ['plat nothing-like-it', []],
  ])('offers for "%s" %j', (line, words) => {
    expect(offered(line)).toEqual(words);
  });

  it('offers what is behind the colon of a scope, where bash begins a word', () => {
    expect(offered('plat keys mint --scopes clients:')).toEqual(['read', 'write']);
    expect(offered('plat keys mint --scopes me:read,clients:w')).toEqual(['write']);
    expect(offered('plat keys mint --scopes ')).toEqual(ALL_SCOPES);
  });

  it('offers every event type to plat trigger', () => {
    expect(offered('plat trigger ')).toEqual(ALL_EVENT_TYPES);
  });

  it('offers the commands of plat, and help', () => {
    expect(offered('plat ')).toEqual(expect.arrayContaining(['clients', 'explain', 'help']));
  });

  it('is registered for plat', () => {
    const { stdout } = spawnSync('bash', ['--norc', '-c', `${scripts.get('bash')}\ncomplete -p plat`], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('complete -o default -F __plat_complete plat\n');
  });
});

describe('the script of every shell', () => {
  it.each(SHELLS)('of %s knows every command and option', async (shell) => {
    const script = scripts.get(shell) ?? '';
    const { commands }: { commands: CommandNode[] } = JSON.parse((await plat(['commands', '--json'])).stdout);
    for (const { name, options } of commands) {
      expect(script).toContain(name.split(' ').at(-1));
      for (const { long } of options) expect(script, name).toContain(long);
    }
  });

  // PowerShell has no such look at a script.
  it.each(['bash', 'zsh', 'fish'].filter(isInstalled))('of %s is one that it can read', (shell) => {
    expect(spawnSync(shell, ['-n'], { input: scripts.get(shell), encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it('is for the shells that there are', async () => {
    const { code, stderr } = await plat(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish, powershell');
  });
});
