import { type Haproxy, startHaproxy } from '../support/haproxy.ts';
import type { Served } from './served.ts';

/**
 * Runs work behind a proxy, and stops it.
 * @param name value of the option `--proxy`; the proxy is null without it
 */
export async function withProxy<R>(
  name: string | undefined,
  { port }: Served,
  work: (proxy: Haproxy | null) => Promise<R>,
): Promise<R> {
  if (name === undefined) return work(null);
  if (name !== 'haproxy') throw new Error(`--proxy takes haproxy, not ${name}`);
  const proxy = await startHaproxy([port]);
  try {
    return await work(proxy);
  } finally {
    await proxy.stop();
  }
}
