import { createTestServer } from '@plat/server/testing';

/** A process that removes the old rows of the database at `DATABASE_URL`, for stories that kill it. */
const server = await createTestServer({
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  env: { PLAT_DISPATCH: 'false', PLAT_LEASE_SECONDS: '20' },
});
await server.housekeeping();
await server.close();
