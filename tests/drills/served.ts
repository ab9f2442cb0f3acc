import { randomBytes } from 'node:crypto';
import { openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestServer, type TestServer } from '@plat/server/testing';
import { createDatabase, type DatabaseServer, databaseUrl } from '../support/database-server.ts';
import { freePort } from '../support/free-port.ts';
import { startMariadb } from '../support/mariadb.ts';
import { type NodeProcess, spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** One server process on a private MariaDB. */
export interface Served {
  readonly server: NodeProcess;
  readonly port: number;
  readonly baseUrl: string;
}

/** A server and its database. */
export interface ServedOn extends Served {
  readonly database: DatabaseServer;
}

/**
 * Runs work on one server process on a private MariaDB, and stops both.
 * @param seed creates tenants and objects before the server starts; its result is passed to `work`
 */
export async function onMariadb<T, R>(
  env: Readonly<Record<string, string>>,
  seed: (seeder: TestServer) => Promise<T>,
  work: (served: ServedOn, seeded: T) => Promise<R>,
): Promise<R> {
  const database = await startMariadb();
  try {
    await createDatabase(database, 'plat');
    const shared = {
      DATABASE_URL: databaseUrl(database, 'plat'),
      PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
      PLAT_RATE_LIMIT: '100000000',
      PLAT_ADDRESS_RATE_LIMIT: '100000000',
    };
    const seeder = await createTestServer({
      databaseUrl: shared.DATABASE_URL,
      env: { ...shared, PLAT_DISPATCH: 'false' },
      checkResponses: false,
    });
    const seeded = await seed(seeder);
    await seeder.close();
    const { server, port, baseUrl } = await startQuietly({ ...shared, PLAT_HOUSEKEEPING: 'false', ...env });
    try {
      return await work({ server, port, baseUrl, database }, seeded);
    } finally {
      await server.stop();
    }
  } finally {
    await database.stop();
  }
}

/** Starts a server in production; its log is written to /dev/null. */
export async function startQuietly(env: Readonly<Record<string, string>>): Promise<Served> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const server = spawnNode('packages/server/src/main.ts', {
    env: {
      ...{ NODE_ENV: 'production', PORT: String(port), PLAT_BASE_URL: baseUrl, LOG_FORMAT: 'json' },
      ...{ PLAT_DATA_DIR: `${tempFolder('drill').path}/server`, ...env },
    },
    stdout: openSync('/dev/null', 'w'),
  });
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (server.child.exitCode !== null) throw new Error(`the server ended: ${server.stderr()}`);
    await pause(50);
  }
  return { server, port, baseUrl };
}
