// The limit: undici's Pool.request of a signed body, with a concurrency limit per host and in all.
import { Pool } from 'undici';
import { serveParent } from '../lib/child.ts';
import { eventBody } from './backlog.ts';

const PER_ENDPOINT = 16;
const IN_FLIGHT = 500;

const pools = new Map<string, Pool>();
const event = eventBody('evt_01k9zq3v5h6x8m2n4p7r9t1w3z', 'tnt_01k9zq3v5h6x8m2n4p7r9t1w3x', Date.now());
const body = Buffer.from(event);
const headers = {
  'content-type': 'application/json',
  'user-agent': 'Platform-Webhooks/1.0',
  'x-platform-event': 'client.created',
  'x-platform-event-id': 'evt_01k9zq3v5h6x8m2n4p7r9t1w3z',
  'x-platform-signature': `t=1790000000,v1=${'a'.repeat(64)}`,
  'x-platform-delivery-id': 'del_01k9zq3v5h6x8m2n4p7r9t1w3y',
};

/** Sends bodies to the hosts in turn. Resolves to the processor time of this process, in µs. */
async function send(count: number, urls: readonly string[]): Promise<number> {
  const cpu = process.cpuUsage();
  let sent = 0;
  const worker = async (): Promise<void> => {
    while (sent < count) {
      const { origin, pathname } = new URL(urls[sent++ % urls.length] ?? '');
      const answer = await poolOf(origin).request({ path: pathname, method: 'POST', headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, PER_ENDPOINT * urls.length) }, worker));
  const { user, system } = process.cpuUsage(cpu);
  return user + system;
}

function poolOf(origin: string): Pool {
  let pool = pools.get(origin);
  if (!pool) {
    pool = new Pool(origin, { connections: PER_ENDPOINT });
    pools.set(origin, pool);
  }
  return pool;
}

serveParent(0, (question) => {
  const { count, urls } = JSON.parse(question);
  return send(count, urls);
});
