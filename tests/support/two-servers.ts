import { createTestServer } from '@plat/server/testing';
import { afterAll, beforeAll } from 'vitest';
import { type Answer, type Api, apiOf } from './api.ts';
import { type FreshDatabase, migratedDatabase } from './database.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { tempFolder } from './temp-folder.ts';

interface TwoServers {
  /** The first server. */
  readonly api: Api;
  /** The first server for even numbers, the second for odd ones. */
  at(i: number): Api;
  /** Environment that gives a process the address of one server and the key. */
  envOf(i: number): Readonly<Record<string, string>>;
  /** Sends the same call to both servers at once, many times. */
  race(times: number, call: (api: Api, i: number) => Promise<Answer>): Promise<Answer[]>;
}

/** Starts two server processes on one database for the stories of a file. Both are called with one tenant's key. */
export function useTwoServers(more: Readonly<Record<string, string>> = {}): TwoServers {
  let database: FreshDatabase | undefined;
  let servers: readonly ServerProcess[] = [];
  let apis: readonly Api[] = [];
  let apiKey = '';
  const at = (i: number): Api => {
    const api = apis[i % apis.length];
    if (!api) throw new Error('the servers are there from beforeAll on');
    return api;
  };
  beforeAll(async () => {
    database = await migratedDatabase();
    // One data folder: the two servers of one operator share the master key.
    const dataDir = tempFolder('two').path;
    const env = { DATABASE_URL: database.url, PLAT_RATE_LIMIT: '1000000', ...more };
    servers = await Promise.all([startServerProcess(env, dataDir), startServerProcess(env, dataDir)]);
    const here = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
    // No sandbox: changes of one sandbox are serialized.
    ({ apiKey } = await here.createTenant({ sandbox: false }));
    await here.close();
    apis = servers.map(({ baseUrl }) => apiOf(baseUrl, apiKey));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database?.drop();
  });
  return {
    get api() {
      return at(0);
    },
    at,
    envOf: (i) => ({ PLAT_BASE_URL: servers[i % servers.length]?.baseUrl ?? '', PLAT_API_KEY: apiKey }),
    race: (times, call) => Promise.all(Array.from({ length: times }, (_, i) => call(at(i), i))),
  };
}
