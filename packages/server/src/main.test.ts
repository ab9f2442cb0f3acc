import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Prints the name of each installed package that is loaded. */
const PRINT_PACKAGES = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
  if (name) process.stderr.write('package ' + name + '\\n');
  return next(url, context);
} });`;

test.each(['--help', 'tenants --help', 'tenants show'])(
  'plat-server %s loads no package that it does not need',
  (args) => {
    const options = ['--conditions=@plat/source', `--import=${PRINT_PACKAGES}`];
    const { stderr } = spawnSync(process.execPath, [...options, MAIN, ...args.split(' ')], { encoding: 'utf8' });
    const loaded = [...stderr.matchAll(/^package (.+)$/gm)].map(([, name]) => name);
    expect(new Set(loaded)).toEqual(new Set(['commander']));
  },
);

describe('plat-server config check', () => {
  const run = (redirection: string, env: Readonly<Record<string, string>> = {}) => {
    const command = 'set -o pipefail; "$0" --conditions=@plat/source "$1" config check';
    const args = ['--norc', '-c', `${command} ${redirection}`, process.execPath, MAIN];
    const { status, stderr } = spawnSync('bash', args, { encoding: 'utf8', env });
    return { status, stderr };
  };

  test('ends quietly when the reader of its output has ended', () => {
    expect(run('| true')).toEqual({ status: 0, stderr: '' });
    expect(run('| true', { PLAT_UNKNOWN: '1' })).toEqual({ status: 1, stderr: '' });
  });

  test.runIf(process.platform === 'linux')('fails when its output cannot be written', () => {
    const stderr = 'plat-server: the result cannot be written (ENOSPC); a change may have been made nevertheless\n';
    expect(run('> /dev/full')).toEqual({ status: 1, stderr });
  });
});
