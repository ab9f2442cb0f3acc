import { createTestServer, type TestServer, type TestServerOptions } from '@plat/server/testing';
import { afterAll, beforeAll } from 'vitest';
import { type FreshDatabase, migratedDatabase } from './database.ts';

/** One server on one fresh database for the stories of a file. */
export function useServer(options: TestServerOptions = {}): {
  readonly server: TestServer;
  readonly database: FreshDatabase;
} {
  let server: TestServer | undefined;
  let database: FreshDatabase | undefined;
  beforeAll(async () => {
    database = await migratedDatabase();
    server = await createTestServer({ databaseUrl: database.url, ...options });
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });
  return {
    get server() {
      if (!server) throw new Error('the server is there from beforeAll on');
      return server;
    },
    get database() {
      if (!database) throw new Error('the database is there from beforeAll on');
      return database;
    },
  };
}
