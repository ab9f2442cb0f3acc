import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { hasEngine } from './tests/containers/engine.ts';
import { findProgram, findRuntimes, hasChromium, hasNext, hasShell } from './tests/support/find-servers.ts';
import { hasGalera } from './tests/support/galera.ts';
import { hasHaproxy } from './tests/support/haproxy.ts';
import { LongestFirst } from './tests/support/longest-first.ts';
import { hasMariadb } from './tests/support/mariadb.ts';
import { MARIADB_FOR_BOTH } from './tests/support/mariadb-for-both.ts';
import { hasMysql } from './tests/support/mysql.ts';
import { hasPostgres } from './tests/support/postgres.ts';
import { hasPyJwt, hasPythonClients } from './tests/support/python.ts';
import { hasRedis } from './tests/support/redis.ts';
import { SQLITE_ONLY } from './tests/support/sqlite-only.ts';

/** Resolves packages of this repository to their sources. No published consumer uses the condition `@plat/source`. */
const conditions = ['@plat/source', 'node', 'development|production'];

/** Files that replace modules or HTTP of their whole process: modules that other files loaded there would be in the way. */
const ALONE = ['packages/server/src/launch/key-pair.test.ts', 'packages/testing/src/msw.test.ts'];

/** Tests that pack, install or start what users get. They take longer than all other tests of the tools, so `test:fast` omits them. */
const DISTRIBUTION = [
  'scripts/bundlers.test.mjs',
  'scripts/consumers.test.mjs',
  'scripts/registry.test.mjs',
  'scripts/runtimes.test.mjs',
  ...['ci-pipeline', 'nextjs-saas', 'node-versions', 'pack', 'release', 'sbom', 'start'].map(
    (name) => `tests/tools/${name}.test.ts`,
  ),
];

/** Most unit tests of the server use SQLite, too. */
const STACKS = 'tests/support/setup/stacks.ts';

/** Files of stories that do not run on a kind of database. */
const NOT_ON: Readonly<Record<string, string[]>> = {
  mariadb: [...SQLITE_ONLY],
  mysql: [...SQLITE_ONLY, ...(hasMariadb() ? MARIADB_FOR_BOTH : [])],
};

/** Returns the project that runs the stories on one kind of database. Its set-up starts one private server. */
const stories = (kind: string): TestProjectConfiguration => ({
  extends: true,
  test: {
    name: `stories:${kind}`,
    include: ['tests/stories/**/*.test.ts'],
    exclude: NOT_ON[kind] ?? [],
    globalSetup: [`tests/support/setup/${kind}.ts`],
    setupFiles: [kind === 'sqlite' ? STACKS : 'tests/support/setup/check-statements.ts'],
  },
});

if (!hasChromium()) {
  process.stderr.write(
    '\n*** NOT TESTED in a browser: this machine has no chromium. apt-get install chromium. ***\n\n',
  );
}
const shells = ['bash', 'zsh', 'fish'].filter(hasShell);
if (shells.length < 3) {
  process.stderr.write('\n*** NOT TESTED in all of bash, zsh and fish. Debian: apt-get install zsh fish. ***\n\n');
}
if (!hasEngine()) {
  process.stderr.write(
    '\n*** NOT TESTED in containers: as root, apt-get install docker.io docker-compose iptables mariadb-server redis-server. ***\n\n',
  );
}
if (!hasGalera()) {
  process.stderr.write(
    '\n*** NOT TESTED on a cluster. Debian: apt-get install galera-4 rsync lsof beside mariadb-server. ***\n\n',
  );
}
if (!hasPostgres()) {
  process.stderr.write('\n*** NOT TESTED with PostgreSQL. Debian: apt-get install postgresql. ***\n\n');
}
if (!hasHaproxy()) {
  process.stderr.write('\n*** NOT TESTED behind HAProxy. Debian: apt-get install haproxy. ***\n\n');
}
if (!hasPythonClients()) {
  process.stderr.write(
    '\n*** NOT TESTED with OAuth clients in Python. Debian: apt-get install python3-authlib python3-requests-oauthlib. ***\n\n',
  );
}

if (!hasPyJwt()) {
  process.stderr.write(
    '\n*** NOT TESTED with PyJWT. Debian: apt-get install python3-jwt python3-cryptography. ***\n\n',
  );
}
const languages = ['go', 'php', 'ruby', 'javac'].filter((name) => findProgram(name) === undefined);
if (languages.length > 0) {
  process.stderr.write(
    `\n*** NOT TESTED: verifiers in ${languages.join(', ')}. Debian: apt-get install golang-go php-cli ruby default-jdk-headless. ***\n\n`,
  );
}
if (!hasNext()) {
  process.stderr.write('\n*** NOT TESTED with Next.js: cd examples/nextjs-saas && npm ci. ***\n\n');
}
const runtimes = findRuntimes();
if (runtimes === null) {
  process.stderr.write(
    '\n*** NOT TESTED on Deno, Bun, workerd, edge-runtime and other versions of Node, with Jest, bundlers and older compilers: cd tests/runtimes && npm ci. ***\n\n',
  );
}
if (!hasRedis()) {
  process.stderr.write(
    '\n*** NOT TESTED with Redis: this machine has none. Debian: apt-get install redis-server. ***\n\n',
  );
}

/** Returns no project and prints a warning when this machine lacks the server, unless REQUIRE_<KIND> is set. */
const storiesIfHere = (kind: string, isHere: boolean, howToGet: string): TestProjectConfiguration[] => {
  if (isHere) return [stories(kind)];
  process.stderr.write(`\n*** NOT TESTED on ${kind}: this machine has none. ${howToGet} ***\n\n`);
  return [];
};

const containers: TestProjectConfiguration[] = hasEngine()
  ? [{ extends: true, test: { name: 'containers', include: ['tests/containers/**/*.test.ts'] } }]
  : [];

export default defineConfig({
  // Only for modules that Vitest loads. With `import` among Node's conditions, CommonJS packages would load ES modules.
  ssr: { resolve: { conditions } },
  test: {
    // Stories wait for half of their time: for leases, polls, settling times and child processes.
    maxWorkers: 4,
    // Files share the modules of their worker process: a third less CPU time. No test may depend on module state that another
    // file changed; a file that mocks modules restores them.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Generous, so that a slow or busy machine is no failure. Only a test that needs more names its timeout.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: ALONE,
          setupFiles: [STACKS],
          provide: { shells, runtimes },
        },
      },
      { extends: true, test: { name: 'unit:alone', include: ALONE, isolate: true } },
      {
        extends: true,
        test: {
          name: 'tools',
          include: ['tests/tools/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: DISTRIBUTION,
        },
      },
      { extends: true, test: { name: 'distribution', include: DISTRIBUTION, provide: { runtimes } } },
      ...containers,
      stories('sqlite'),
      ...storiesIfHere('mariadb', hasMariadb(), 'Debian and Ubuntu: apt-get install mariadb-server.'),
      ...storiesIfHere('mysql', hasMysql(), 'Debian: .ci/fetch-mysql brings one without installing it.'),
    ],
  },
});
