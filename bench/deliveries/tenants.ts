import type { Connection } from 'mysql2/promise';
import { type BenchTenant, createTenant } from '../lib/tenant.ts';

/** Maximum number of endpoints of a tenant. */
const ENDPOINTS_EACH = 50;

/** Registers endpoints through the API, for as many tenants as needed. */
export async function createEndpoints(
  baseUrl: string,
  connection: Connection,
  urls: readonly string[],
): Promise<readonly BenchTenant[]> {
  let tenant = await createTenant(connection);
  const tenants = [tenant];
  for (const [n, url] of urls.entries()) {
    if (n > 0 && n % ENDPOINTS_EACH === 0) {
      tenant = await createTenant(connection);
      tenants.push(tenant);
    }
    const response = await fetch(`${baseUrl}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events: ['client.created'] }),
    });
    const answer = await response.text();
    if (response.status !== 201) throw new Error(`the endpoint ${url} was refused: ${answer}`);
  }
  return tenants;
}
