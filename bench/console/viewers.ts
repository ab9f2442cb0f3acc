import type { TestServer } from '@plat/server/testing';
import { apiOf } from '../../tests/support/api.ts';
import { signedInDeveloper } from '../../tests/support/developer.ts';
import { type EventReader, readEvents } from '../../tests/support/event-source.ts';
import { quantile } from '../lib/statistics.ts';

/** Measurements with live views of one process. */
export interface Viewed {
  readonly viewers: number;
  /** Time from the response of a request to its row in a view. */
  readonly p95Ms: number;
  /** Growth of the heap by all views, in bytes. */
  readonly heapBytes: number;
}

const VIEWERS_OF_TENANT = 10;

/** Opens views of as many tenants as needed, and measures until each has shown a request. */
export async function watch(server: TestServer, viewers: number): Promise<Viewed> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const tenants = await Promise.all(
    Array.from({ length: viewers / VIEWERS_OF_TENANT }, async () => {
      const { apiKey, session } = await signedInDeveloper(server);
      const url = `${server.baseUrl}/console/requests/tail`;
      const readers = Array.from({ length: VIEWERS_OF_TENANT }, () => readEvents(url, session.cookie));
      return { apiKey, readers: await Promise.all(readers) };
    }),
  );
  globalThis.gc?.();
  const heapBytes = process.memoryUsage().heapUsed - before;
  const delays = await Promise.all(
    tenants.map(async ({ apiKey, readers }) => {
      await apiOf(server.baseUrl, apiKey)('/v1/me');
      const sentAt = performance.now();
      return Promise.all(readers.map((reader) => shownAfter(reader, sentAt)));
    }),
  );
  for (const { readers } of tenants) for (const reader of readers) reader.close();
  return { viewers, p95Ms: quantile(delays.flat(), 0.95), heapBytes };
}

async function shownAfter(reader: EventReader, sentAt: number): Promise<number> {
  await reader.next();
  return performance.now() - sentAt;
}
