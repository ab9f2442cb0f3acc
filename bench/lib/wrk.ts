import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../../tests/support/find-servers.ts';
import { cpuMicrosOf } from './process-cpu.ts';

const run = promisify(execFile);

/** Options of a wrk run. */
export interface WrkTarget {
  /** Process ids of the server and of its database. */
  readonly pid: number;
  readonly databasePid: number;
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Lua script that makes the requests and prints one line of JSON at the end (the `.lua` files of the benches). */
  readonly script: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the script. */
  readonly args: readonly string[];
}

/** Measurements of a server under load. */
export interface LoadSample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per request, of the server's process and of the database's. */
  readonly cpuMicros: number;
  readonly databaseCpuMicros: number;
}

/**
 * Loads a server from a separate process (wrk).
 * @throws Error when any response is not 2xx
 */
export async function wrk(target: WrkTarget): Promise<LoadSample> {
  const program = findProgram('wrk');
  if (program === undefined)
    throw new Error('wrk makes the load, and is not here (Debian and Ubuntu: apt-get install wrk)');
  const { pid, databasePid, url, connections, seconds, script, headers = {}, args } = target;
  const cpu = [pid, databasePid].map(cpuMicrosOf);
  const { stdout } = await run(program, [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    '-s',
    fileURLToPath(script),
    url,
    '--',
    ...args,
  ]);
  const [server = Number.NaN, database = Number.NaN] = [pid, databasePid].map(
    (each, i) => cpuMicrosOf(each) - (cpu[i] ?? 0),
  );
  const { requests, errors, micros, p50, p99 } = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '{}');
  if (errors !== 0) throw new Error(`${errors} of ${requests} answers of ${url} were no success:\n${stdout}`);
  return {
    perSecond: (requests / micros) * 1e6,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    cpuMicros: server / requests,
    databaseCpuMicros: database / requests,
  };
}
