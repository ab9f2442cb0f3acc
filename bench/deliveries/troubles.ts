import { createSocket } from 'node:dgram';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'mysql2/promise';
import { startChild } from '../lib/child.ts';
import { commitBacklog, subscriptionsOf } from './backlog.ts';
import { hostUrls, type Stage } from './stage.ts';
import { createEndpoints } from './tenants.ts';

/** A port without a listener, outside the range of ephemeral ports. */
const REFUSING_PORT = 20_011;
/** Longer than an attempt takes, in ms. */
const ATTEMPT_MS = 11_000;

/** Creates a tenant with endpoints at these addresses and a due backlog. Resolves to the function that removes it. */
export async function trouble(
  { connection, server }: Stage,
  urls: readonly string[],
  backlog: number,
): Promise<() => Promise<void>> {
  const [tenant, ...others] = await createEndpoints(server.baseUrl, connection, urls);
  if (!tenant) throw new Error('a tenant in trouble has endpoints');
  // The API allows 50 per tenant.
  for (const { id } of others) await move(connection, id, tenant.id);
  const theirs = (await subscriptionsOf(connection)).filter(({ tenant_id }) => tenant_id === tenant.id);
  await commitBacklog(connection, theirs, backlog, 'bit-by-bit');
  return async () => {
    for (const table of ['webhook_subscriptions', 'webhook_deliveries', 'webhook_endpoints', 'events']) {
      await connection.query(`DELETE FROM ${table} WHERE tenant_id = ?`, [tenant.id]);
    }
    await pause(ATTEMPT_MS);
  };
}

async function move(connection: Connection, from: string, to: string): Promise<void> {
  for (const table of ['webhook_endpoints', 'webhook_subscriptions']) {
    await connection.query(`UPDATE ${table} SET tenant_id = ? WHERE tenant_id = ?`, [to, from]);
  }
}

/** Returns addresses of failing endpoints: a third refuses connections, a third accepts none, a third has no name. */
export async function deadUrls(count: number, defer: Stage['defer']): Promise<readonly string[]> {
  const hole = await startChild<number>(new URL('./black-hole.ts', import.meta.url));
  defer(() => hole.kill());
  const refuses = hostUrls(count, REFUSING_PORT, '/hook');
  const swallows = hostUrls(count, hole.ready, '/hook');
  return Array.from({ length: count }, (_, n) => {
    if (n % 3 === 0) return refuses[n] ?? '';
    return n % 3 === 1 ? (swallows[n] ?? '') : `https://dead${n}.example/hook`;
  });
}

/** Starts a name server that never responds. Resolves to its address. */
export async function silentNameServer(defer: Stage['defer']): Promise<string> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  defer(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
