import { createTestServer } from '@plat/server/testing';
import { serveParent } from '../lib/child.ts';
import type { Ready, Removed } from './messages.ts';

/** The reference server, which runs housekeeping on request instead of once an hour. */
const [databaseUrl = ''] = process.argv.slice(2);
const server = await createTestServer({
  databaseUrl,
  env: { PLAT_RATE_LIMIT: '1000000000', PLAT_ADDRESS_RATE_LIMIT: '1000000000' },
  // As an operator runs it.
  checkResponses: false,
});
const { tenantId, apiKey } = await server.createTenant();

serveParent<Ready | Removed>({ baseUrl: server.baseUrl, apiKey, tenantId }, async () => {
  const startedAt = performance.now();
  const counts = await server.housekeeping();
  return { rows: (counts?.['events'] ?? 0) + (counts?.['webhook_deliveries'] ?? 0), ms: performance.now() - startedAt };
});
