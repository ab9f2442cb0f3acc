import { createTestServer } from '@plat/server/testing';

/** Runs housekeeping on the database at `DATABASE_URL`. Stories kill this process. */
const server = await createTestServer({
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  env: { PLAT_DISPATCH: 'false', PLAT_LEASE_SECONDS: '20' },
});
await server.housekeeping();
await server.close();
