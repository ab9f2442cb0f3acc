import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, startDaemon } from './daemon.ts';
import { findProgram, isRequired } from './find-servers.ts';
import { freePort } from './free-port.ts';
import { repository } from './process.ts';
import { tempFolder } from './temp-folder.ts';

/** HAProxy with the shipped configuration. */
export interface Haproxy extends Daemon {
  readonly port: number;
  readonly baseUrl: string;
  /** Returns the value of a metric for Prometheus, such as `haproxy_backend_current_queue{proxy="heavy"}`. */
  metric(series: string): Promise<number>;
}

interface HaproxyOptions {
  /** Environment variables of the configuration. */
  readonly env?: Readonly<Record<string, string>>;
  /** Lines of the configuration that are replaced besides its addresses. */
  readonly replaced?: Readonly<Record<string, string>>;
}

const FOLDER = join(repository, 'deploy', 'haproxy');
/** Servers of the shipped configuration. */
const ADDRESSES = ['10.0.0.11:4010', '10.0.0.12:4010'] as const;
/** Only root may use these. */
const PRIVILEGES = ['    user haproxy\n', '    group haproxy\n', '    chroot /var/lib/haproxy\n'] as const;

/** Returns true if this machine has HAProxy or REQUIRE_HAPROXY is set. */
export const hasHaproxy = (): boolean => findProgram('haproxy') !== undefined || isRequired('haproxy');

/**
 * Starts HAProxy with the shipped configuration, in which only addresses are replaced, in front of loopback servers.
 * @param ports ports of one or two servers
 * @throws Error when this machine has none (Debian: haproxy)
 */
export async function startHaproxy(
  [first, second]: readonly [number] | readonly [number, number],
  { env = {}, replaced = {} }: HaproxyOptions = {},
): Promise<Haproxy> {
  const command = findProgram('haproxy');
  if (command === undefined) throw new Error('no HAProxy here: install haproxy');
  const folder = tempFolder('haproxy');
  const port = await freePort();
  const metricsPort = await freePort();
  let text = readFileSync(join(FOLDER, 'haproxy.cfg'), 'utf8');
  const replace = (from: string, to: string): void => {
    if (!text.includes(from)) throw new Error(`deploy/haproxy/haproxy.cfg has no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  };
  replace('bind :::443 v4v6', `bind 127.0.0.1:${port}`);
  replace('bind :::80 v4v6', `bind 127.0.0.1:${port}`);
  replace('bind 127.0.0.1:8404', `bind 127.0.0.1:${metricsPort}`);
  replace(ADDRESSES[0], `127.0.0.1:${first}`);
  if (second === undefined) text = text.replaceAll(/^.*server2.*\n/gm, '');
  else replace(ADDRESSES[1], `127.0.0.1:${second}`);
  if (process.getuid?.() !== 0) for (const line of PRIVILEGES) replace(line, '');
  for (const [from, to] of Object.entries(replaced)) replace(from, to);
  replace('/etc/haproxy/digits.map', join(FOLDER, 'digits.map'));
  const file = join(folder.path, 'haproxy.cfg');
  writeFileSync(file, text);
  const baseUrl = `${env['PLAT_CERTIFICATE'] === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const metric = async (series: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const line = text.split('\n').find((other) => other.startsWith(`${series} `));
    return Number(line?.slice(series.length));
  };
  // With -dW, a warning ends the start.
  const args = ['-dW', '-f', file];
  const daemon = await startDaemon({ name: 'HAProxy', command, args, folder, env, ping: () => metric('') });
  return { ...daemon, port, baseUrl, metric };
}
