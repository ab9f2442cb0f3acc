import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

test.skipIf(process.platform === 'win32')(
  'npm start has its arguments and its exit code, and no shell in between',
  () => {
    const folder = tempFolder('start').path;
    mkdirSync(join(folder, 'scripts'));
    const program = 'console.log(JSON.stringify([process.pid, ...process.argv.slice(2)])); process.exitCode = 7;';
    writeFileSync(join(folder, 'scripts/start.mjs'), program);
    // As npm runs it: the arguments stand behind the script.
    const run = spawnSync('sh', ['-c', `${scripts.start} "--port" "50 00"`], { cwd: folder, encoding: 'utf8' });
    expect([run.status, run.stderr, JSON.parse(run.stdout)]).toEqual([7, '', [run.pid, '--port', '50 00']]);
  },
);

// cmd.exe has no `exec`, and no escape by a backslash: it runs the command behind the ampersand, with the arguments of npm.
test('in cmd.exe the last command of npm start is the same program', () => {
  expect(scripts.start.split('&').at(-1)).toBe(' node scripts/start.mjs');
});
