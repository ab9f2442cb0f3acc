import { setTimeout as wait } from 'node:timers/promises';
import { isNotElected } from './errors.ts';

/** Time in which a cluster elects its next primary, with a large margin, in ms. */
const ELECTION_MS = 60_000;
const RETRY_MS = 500;

/**
 * Repeats work while the servers answer that they do not accept changes: a cluster elects its primary, or a replica is
 * about to be promoted.
 * @param onWait called once, with the first error
 * @throws the last error after a minute, or any other error at once
 */
export async function untilElected<T>(work: () => Promise<T>, onWait: (error: unknown) => void): Promise<T> {
  const endsAt = performance.now() + ELECTION_MS;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      if (!isNotElected(error) || performance.now() >= endsAt) throw error;
      if (isFirst) onWait(error);
      await wait(RETRY_MS);
    }
  }
}
