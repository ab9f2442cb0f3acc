import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** All that the scripts of a release read and write. */
const FILES =
  /^(\.changeset|scripts)\/|(^|\/)(package\.json|README\.md|LICENSE)$|^(package-lock\.json|\.gitignore|docs\/(glossary\.md|errors\.md|openapi\.json|api\/.*)|packages\/sdk\/src\/version\.ts)$/;

it('npm run version-packages leaves packages that agree with each other and keep the rules of the checks', () => {
  const { path } = tempFolder('release');
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, {
      cwd: path,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(repository, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}` },
    });
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of listed.split('\n').filter((name) => FILES.test(name)))
    cpSync(join(repository, file), join(path, file));
  symlinkSync(join(repository, 'node_modules'), join(path, 'node_modules'));
  run('git', 'init', '--quiet');
  run('git', 'add', '.');
  run('git', '-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'All');

  const read = (file: string): string => readFileSync(join(path, file), 'utf8');
  const manifestOf = (name: string) => JSON.parse(read(`packages/${name}/package.json`));
  const before = manifestOf('sdk').version;
  const steps: string[] = JSON.parse(read('package.json')).scripts['version-packages'].split(' && ');
  // The lockfile is npm's, which would ask the registry.
  expect(steps.pop()).toBe('npm install --package-lock-only');
  for (const step of steps) run('sh', '-c', step);

  const { version } = manifestOf('sdk');
  expect(version).not.toBe(before);
  expect(read('packages/sdk/src/version.ts')).toContain(`'${version}'`);
  for (const name of readdirSync(join(path, 'packages'))) {
    const { version: its, dependencies = {}, files } = manifestOf(name);
    expect(its).toBe(version);
    for (const [each, range] of Object.entries(dependencies)) {
      if (each.startsWith('@plat/')) expect([name, each, range]).toEqual([name, each, `^${version}`]);
    }
    expect(read(`packages/${name}/CHANGELOG.md`)).toContain(`## ${version}\n`);
    expect(files).toContain('CHANGELOG.md');
  }
  expect(run(process.execPath, 'scripts/metadata.mjs')).toBe('');
  // Exit code 1 would hide the list of faults.
  expect(run('sh', '-c', 'node scripts/prose-report.mjs packages || true')).toMatch(/^0 faults/);
});
