import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../support/find-servers.ts';

const run = promisify(execFile);

/** An image in place of an official one that Dockerfile or compose.yaml names. */
interface BaseImage {
  readonly tag: string;
  /** Programs of this machine. Each comes with the libraries that it loads. */
  readonly programs: readonly string[];
  /** Folders or files of this machine, by their path in the image. */
  readonly files?: () => Promise<Readonly<Record<string, string>>>;
  /** Symbolic links. */
  readonly links?: Readonly<Record<string, string>>;
  /** Numbers of users, who have a group of the same name and number. */
  readonly users: Readonly<Record<string, number>>;
  /** Folders that this user owns. */
  readonly owned?: Readonly<Record<string, string>>;
  /** Instructions of a Dockerfile. */
  readonly changes: readonly string[];
}

/** Programs that the commands of Dockerfile and of packages' scripts call. */
const SHELL = ['sh', 'bash', 'env', 'cat', 'chmod', 'chown', 'cp', 'find', 'grep', 'ldd', 'mkdir', 'rm', 'sed'];
const MYSQL_TOOLS = ['mariadb', 'mariadb-admin', 'mariadb-install-db', 'my_print_defaults', 'resolveip'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

const BASE_IMAGES: readonly BaseImage[] = [
  {
    tag: 'node:24-bookworm-slim',
    programs: SHELL,
    files: async () => ({
      '/usr/local/bin/node': process.execPath,
      '/usr/local/lib/node_modules/npm': join((await run('npm', ['root', '--global'])).stdout.trim(), 'npm'),
      // The registries that this machine trusts.
      [CERTIFICATES]: CERTIFICATES,
    }),
    links: Object.fromEntries(
      ['npm', 'npx'].map((name) => [`/usr/local/bin/${name}`, `../lib/node_modules/npm/bin/${name}-cli.js`]),
    ),
    users: { node: 1000 },
    changes: ['CMD ["node"]', `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`],
  },
  {
    tag: 'redis:7-alpine',
    programs: [...SHELL, 'redis-server', 'redis-cli'],
    users: { redis: 100 },
    // As in the official image, clients of other containers need protected mode off.
    changes: [`ENTRYPOINT ["sh", "-c", "exec \\"$@\\" --protected-mode no", "sh"]`, 'USER redis', 'WORKDIR /tmp'],
  },
  {
    tag: 'mariadb:10.11',
    programs: [...SHELL, 'sleep', 'hostname', 'mariadbd', ...MYSQL_TOOLS],
    files: async () => ({
      ...Object.fromEntries(['/usr/share/mysql', '/usr/lib/mysql/plugin'].map((path) => [path, path])),
      '/usr/local/bin': join(import.meta.dirname, 'mariadb'),
    }),
    users: { mysql: 101 },
    owned: { '/var/lib/mysql': 'mysql', '/run/mysqld': 'mysql' },
    changes: [
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["mariadbd", "--user=mysql", "--bind-address=0.0.0.0", "--socket=/run/mysqld/mysqld.sock"]',
    ],
  },
];

/** Programs of this machine that the images contain. */
export const BASE_PROGRAMS: readonly string[] = BASE_IMAGES.flatMap(({ programs }) => programs);

/**
 * Makes the images that an engine does not have. They contain programs of this machine, which is Debian as the official images are,
 * so nothing is fetched or installed.
 * @param folder temporary files
 */
export async function makeBaseImages(
  docker: (...args: readonly string[]) => Promise<string>,
  folder: string,
): Promise<void> {
  const known = (await docker('images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n');
  for (const image of BASE_IMAGES.filter(({ tag }) => !known.includes(tag))) {
    const root = join(folder, 'root');
    await fill(root, image);
    const archive = join(folder, 'root.tar');
    await run('tar', ['-C', root, '-cf', archive, '.']);
    await docker('import', ...image.changes.flatMap((change) => ['--change', change]), archive, image.tag);
    for (const path of [root, archive]) rmSync(path, { recursive: true });
  }
}

/** Fills the root folder of an image. */
async function fill(root: string, { programs, files, links = {}, users, owned = {} }: BaseImage): Promise<void> {
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ['etc', 'home', 'run', 'tmp', 'usr/local/bin']) mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  const ids = Object.entries({ root: 0, ...users });
  const lines = (of: (name: string, id: number) => string) => ids.map(([name, id]) => `${of(name, id)}\n`).join('');
  writeFileSync(
    join(root, 'etc/passwd'),
    lines((name, id) => `${name}:x:${id}:${id}::/home/${name}:/bin/sh`),
  );
  writeFileSync(
    join(root, 'etc/group'),
    lines((name, id) => `${name}:x:${id}:`),
  );

  const given = Object.entries((await files?.()) ?? {});
  for (const [path, source] of given) copy(source, join(root, path));
  const found = programs.map(programOf);
  for (const path of found) copy(path, join(root, path));
  for (const path of await librariesOf([...found, ...given.map(([, source]) => source)])) copy(path, join(root, path));

  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  const homes = Object.fromEntries(Object.keys(users).map((name) => [`/home/${name}`, name]));
  for (const [path, user] of Object.entries({ ...homes, ...owned })) {
    mkdirSync(join(root, path), { recursive: true });
    const id = users[user] ?? 0;
    chownSync(join(root, path), id, id);
  }
}

function programOf(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`the base images need ${name}, which this machine lacks`);
  return path;
}

function copy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(realpathSync(source), target, { recursive: true, dereference: true });
}

/** Returns the shared libraries and the loader of programs, and all of glibc, of which packages of npm load more than Node.js does. */
async function librariesOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
  // Status 1 says that a file is no program.
  const { stdout: loaded } = await run('ldd', paths).catch((error: { stdout: string }) => error);
  const { stdout: glibc } = await run('dpkg', ['--listfiles', 'libc6']);
  return new Set([
    ...(loaded.match(/\/\S+\.so\S*(?= \(0x)/g) ?? []),
    ...(glibc.match(/^(?:\/usr)?\/lib\/[^/]+\/[^/]+\.so\.\d+$/gm) ?? []),
  ]);
}
