import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../../tests/support/find-servers.ts';
import { cpuMicrosOf } from '../lib/process-cpu.ts';

const run = promisify(execFile);
const CONNECTIONS = 16;

/** Who is asked, and for what. */
export interface Target {
  readonly pid: number;
  readonly databasePid: number;
  readonly url: string;
  readonly apiKey: string;
  readonly action: 'list' | 'create';
}

/** What a server did in a second of load. */
export interface LoadSample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time for each request: of the server's process, and of the database's. */
  readonly cpuMicros: number;
  readonly databaseCpuMicros: number;
}

let runs = 0;

/**
 * Loads a server over 16 connections from a process of its own (wrk).
 * @throws Error when any answer is not 2xx
 */
export async function load({ pid, databasePid, url, apiKey, action }: Target): Promise<LoadSample> {
  const wrk = findProgram('wrk');
  if (wrk === undefined)
    throw new Error('wrk makes the load, and is not here (Debian and Ubuntu: apt-get install wrk)');
  const script = fileURLToPath(new URL(`./${action}.lua`, import.meta.url));
  const unique = `${Date.now().toString(36)}${runs++}`;
  const cpu = [pid, databasePid].map(cpuMicrosOf);
  const { stdout } = await run(wrk, [
    '-t1',
    `-c${CONNECTIONS}`,
    '-d1s',
    '-H',
    `Authorization: Bearer ${apiKey}`,
    '-s',
    script,
    url,
    '--',
    unique,
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
