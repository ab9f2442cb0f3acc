import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { CommandContext } from '../command/context.ts';
import { readGlobalFlags } from '../command/flags.ts';
import { emptyFolder } from '../testing/plat.ts';
import { findServer } from './find-server.ts';

function contextIn(cwd: string, { answer, path = '' }: { answer?: string; path?: string } = {}): CommandContext {
  const terminal = answer === undefined ? {} : { isTTY: true };
  const stdin = Object.assign(new PassThrough(), terminal);
  stdin.end(answer);
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), terminal)];
  const io = { stdin, stdout, stderr, env: { PATH: path }, cwd };
  return {
    io,
    flags: readGlobalFlags({}),
    command: 'plat dev',
    trace: { connection: null, resumeWith: null, args: [] },
  };
}

function install(folder: string): string {
  const home = join(folder, 'node_modules', '@plat', 'server');
  const script = join(home, 'bin', 'plat-server.js');
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ bin: { 'plat-server': 'bin/plat-server.js' } }));
  writeFileSync(script, '');
  return script;
}

const placesIn = (folder: string) => [join(folder, 'package.json')];

it('uses the server installed in the project, from any folder in it', async () => {
  const project = emptyFolder();
  const script = install(project);
  const deep = join(project, 'src', 'deep');
  mkdirSync(deep, { recursive: true });
  expect(await findServer(contextIn(deep), false, placesIn(deep))).toBe(script);
});

it('uses the server beside the CLI in a project without one', async () => {
  expect(await findServer(contextIn(emptyFolder()), false)).toMatch(/server[\\/]bin[\\/]plat-server\.js$/);
});

it('downloads nothing without a terminal', async () => {
  const folder = emptyFolder();
  await expect(findServer(contextIn(folder), false, placesIn(folder))).rejects.toMatchObject({
    code: 'SERVER_NOT_FOUND',
    exitCode: 2,
    advice: { next: expect.stringMatching(/^npm install --save-dev @plat\/server.*npm run pack.* --server <file>$/) },
  });
});

it('downloads nothing after the answer no', async () => {
  const folder = emptyFolder();
  await expect(findServer(contextIn(folder, { answer: 'n\n' }), false, placesIn(folder))).rejects.toMatchObject({
    code: 'CONFIRMATION_REQUIRED',
    exitCode: 10,
  });
});

/** Fake npm: records its arguments, then fails or runs the program with a package on its PATH. */
function fakeNpm(folder: string, script: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npm'), `#!${process.execPath}\n${script}`);
  chmodSync(join(bin, 'npm'), 0o755);
  return bin;
}

it.skipIf(process.platform === 'win32')(
  'lets npm download the server after the answer yes, and runs it from the cache',
  async () => {
    const folder = emptyFolder();
    const cached = install(join(folder, 'cache'));
    const path = fakeNpm(
      folder,
      `const { execFileSync } = require('node:child_process');
    require('node:fs').writeFileSync('${join(folder, 'asked')}', process.argv.slice(2, 5).join(' '));
    const env = { ...process.env, PATH: '${join(folder, 'cache', 'node_modules', '.bin')}' };
    process.stdout.write(execFileSync(process.execPath, process.argv.slice(7), { env }));`,
    );
    const project = emptyFolder();
    expect(await findServer(contextIn(project, { path }), true, placesIn(project))).toBe(cached);
  },
);

it.skipIf(process.platform === 'win32').each([
  ['npm error code E404', /^The registry has no @plat\/server@\S+: .*`npm run pack`.*--server/],
  ['npm error code ECONNREFUSED', /^npm install --save-dev @plat\/server$/],
])('reports the error of npm when the download fails, with a next step that can work: %s', async (hint, next) => {
  const folder = emptyFolder();
  const path = fakeNpm(folder, `console.error('${hint}'); process.exitCode = 1;`);
  await expect(findServer(contextIn(folder, { path }), true, placesIn(folder))).rejects.toMatchObject({
    code: 'SERVER_NOT_FOUND',
    advice: { hint, next: expect.stringMatching(next) },
  });
});
