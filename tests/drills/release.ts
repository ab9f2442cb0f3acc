import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);

/** The previous release: the first commit whose processes accept a newer schema. Each release replaces it. */
export const PREVIOUS_RELEASE = '88eea3dbfc44f9fa1b5b6a8d8e25a095e40bd5ed';

/** The source files of a release, with the installed packages of this clone. */
export interface Release {
  /** The program `plat-server`. */
  readonly entry: string;
  remove(): void;
}

/**
 * Extracts a commit into a temporary folder.
 * @throws Error when the clone does not have the commit
 */
export async function extractRelease(commit: string): Promise<Release> {
  const folder = tempFolder('release');
  const archive = join(folder.path, 'release.tar');
  await run('git', ['archive', '--output', archive, commit, 'packages'], { cwd: repository }).catch(
    (error: unknown) => {
      throw new Error(`this clone has no commit ${commit}: git fetch --unshallow`, { cause: error });
    },
  );
  await run('tar', ['-xf', archive, '-C', folder.path]);
  const modules = join(folder.path, 'node_modules');
  await mkdir(join(modules, '@plat'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (name !== '@plat') await symlink(join(repository, 'node_modules', name), join(modules, name));
  }
  for (const name of await readdir(join(folder.path, 'packages'))) {
    const own = join(folder.path, 'packages', name);
    await symlink(own, join(modules, '@plat', name));
    // Packages that npm did not hoist. Some packages have none.
    await symlink(join(repository, 'packages', name, 'node_modules'), join(own, 'node_modules'));
  }
  return { entry: join(folder.path, 'packages/server/src/main.ts'), remove: () => folder.remove() };
}
