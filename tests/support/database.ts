import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createMigratedFile, createSchema } from '@plat/server/testing';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { inject } from 'vitest';
import { databaseUrl, type ServerAddress } from './database-server.ts';
import { tempFolder } from './temp-folder.ts';

/** The database that a project of the suite runs on, as its set-up provides it. */
export type ProvidedDatabase = { readonly kind: 'sqlite' } | ServerAddress;

declare module 'vitest' {
  interface ProvidedContext {
    database: ProvidedDatabase;
    /** A MySQL server that prepares the statements of stories which run on MariaDB for both; undefined where there is none. */
    mysql?: ServerAddress;
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
  return provided.kind === 'sqlite' ? freshFile() : freshSchema(provided, () => Promise.resolve());
}

/**
 * Creates a database with the schema of this version, like {@link freshDatabase} and all migrations. It is a copy of the first such
 * database of this process, which takes a third of the time.
 */
export async function migratedDatabase(): Promise<FreshDatabase> {
  const provided = inject('database');
  if (provided.kind !== 'sqlite') return migratedSchema(provided);
  return freshFile(createMigratedFile);
}

/** Creates a database with the schema of this version on a server that need not be the project's. */
export async function migratedSchema(server: ServerAddress): Promise<FreshDatabase> {
  const statements = await schemaOf(server);
  return freshSchema(server, async (connection) => void (await connection.query(statements)));
}

/** Statements that copy a migrated database into the selected one, by the port of the server. */
const schemas = new Map<number, Promise<string>>();

function schemaOf(server: ServerAddress): Promise<string> {
  const known = schemas.get(server.port) ?? readSchema(server);
  schemas.set(server.port, known);
  return known;
}

async function readSchema(server: ServerAddress): Promise<string> {
  const original = newName();
  return withConnection(server, async (connection) => {
    await connection.query(`CREATE DATABASE ${original}`);
    await createSchema(databaseUrl(server, original));
    const statements = ['SET foreign_key_checks = 0'];
    const [tables] = await connection.query<RowDataPacket[]>(`SHOW TABLES IN ${original}`);
    for (const table of tables.map((row) => String(Object.values(row)[0]))) {
      const [[row]] = await connection.query<RowDataPacket[]>(`SHOW CREATE TABLE ${original}.${table}`);
      statements.push(row?.['Create Table'], `INSERT INTO ${table} SELECT * FROM ${original}.${table}`);
    }
    return statements.join(';\n');
  });
}

async function freshFile(fill?: (path: string) => Promise<void>): Promise<FreshDatabase> {
  const folder = tempFolder('sqlite');
  const path = join(folder.path, 'plat.db');
  await fill?.(path);
  return { kind: 'sqlite', url: `sqlite:${path}`, drop: async () => folder.remove() };
}

async function freshSchema(
  server: ServerAddress,
  fill: (connection: Connection) => Promise<void>,
): Promise<FreshDatabase> {
  const name = newName();
  await withConnection(server, async (connection) => {
    // The server's default collation differs between the kinds, which exposes code that depends on it.
    await connection.query(`CREATE DATABASE ${name}; USE ${name}`);
    await fill(connection);
  });
  const drop = (): Promise<void> =>
    withConnection(server, async (connection) => void (await connection.query(`DROP DATABASE IF EXISTS ${name}`)));
  return { kind: server.kind, url: databaseUrl(server, name), drop };
}

const newName = (): string => `plat_${randomBytes(6).toString('hex')}`;

async function withConnection<T>(server: ServerAddress, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { host, port, user, password } = server;
  const connection = await createConnection({ host, port, user, password, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
