import { setTimeout as wait } from 'node:timers/promises';
import { classOf, databaseErrorOf, isConnectionUseless, isNotElected } from './errors.ts';

/** Time in which a cluster elects its next primary, with a large margin, in ms. */
const ELECTION_MS = 60_000;
const RETRY_MS = 500;

/**
 * Repeats work while the servers answer that they do not accept changes: a cluster elects its primary, or a replica is
 * about to be promoted. Once a server was reached, the work is repeated as well when the connection to it is lost.
 * @param work calls `reached` when a server has answered
 * @param onWait called once, with the first error
 * @throws the last error after a minute, or any other error at once
 */
export async function untilElected<T>(
  work: (reached: () => void) => Promise<T>,
  onWait: (error: unknown) => void,
): Promise<T> {
  const endsAt = performance.now() + ELECTION_MS;
  let wasReached = false;
  const reached = (): void => {
    wasReached = true;
  };
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work(reached);
    } catch (error) {
      const cause = databaseErrorOf(error);
      wasReached ||= isNotElected(cause);
      const known = classOf(cause);
      const isOver = performance.now() >= endsAt;
      if (!wasReached || known === null || !isConnectionUseless(known) || isOver) throw error;
      if (isFirst) onWait(cause);
      await wait(RETRY_MS);
    }
  }
}
