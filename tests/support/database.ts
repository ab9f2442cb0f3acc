import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { inject } from 'vitest';
import { databaseUrl, type ServerAddress } from './database-server.ts';
import { tempFolder } from './temp-folder.ts';

/** The database that a project of the suite runs on, as its set-up provides it. */
export type ProvidedDatabase = { readonly kind: 'sqlite' } | ServerAddress;

declare module 'vitest' {
  interface ProvidedContext {
    database: ProvidedDatabase;
  }
}

export interface FreshDatabase {
  readonly kind: ProvidedDatabase['kind'];
  /** The value of `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the project's kind of server. Each file has its own, so files run side by side. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const provided = inject('database');
  return provided.kind === 'sqlite' ? freshFile() : freshSchema(provided);
}

function freshFile(): FreshDatabase {
  const folder = tempFolder('sqlite');
  return {
    kind: 'sqlite',
    url: `sqlite:${join(folder.path, 'plat.db')}`,
    drop: async () => folder.remove(),
  };
}

async function freshSchema(server: ServerAddress): Promise<FreshDatabase> {
  const name = `plat_${randomBytes(6).toString('hex')}`;
  // The server's default collation differs between the kinds, which exposes code that depends on it.
  await administer(server, `CREATE DATABASE ${name}`);
  return {
    kind: server.kind,
    url: databaseUrl(server, name),
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name}`),
  };
}

async function administer(server: ServerAddress, statement: string): Promise<void> {
  const { host, port, user, password } = server;
  const connection = await createConnection({ host, port, user, password });
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
