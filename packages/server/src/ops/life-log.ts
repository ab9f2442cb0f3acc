import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { versionOf } from './version-info.ts';

/** Log lines about the life of a process. */
export interface LifeLog {
  /**
   * Logs `ready`, or `listening` while a readiness check fails: the log has the reason before it, and `ready` when it
   * succeeds.
   * @param details addresses and kind of database
   */
  started(isReady: boolean, details: Readonly<Record<string, string | null>>): void;
  stopping(signal: string): void;
  stopped(): void;
}

/**
 * Logs the start of a process, and returns the other lines. In the pretty format there are none: people see a screen. A
 * deterministic server has none either: pid, port and durations differ in each run.
 */
export function logLife(config: Config, kind: 'server' | 'worker', log: Logger): LifeLog {
  const write = (fields: object, text: string): void => {
    if (config.log.format === 'json' && config.deterministic === null) log.info(fields, text);
  };
  const startedAt = performance.now();
  write({ kind, ...versionOf(config), pid: process.pid, mode: config.mode }, 'starting');
  return {
    started(isReady, details) {
      const { version, commit, schema } = versionOf(config);
      const ms = Math.round(performance.now() - startedAt);
      write({ kind, version, commit, schema, ...details, ms }, isReady ? 'ready' : 'listening');
    },
    stopping: (signal) => write({ kind, signal }, 'stopping'),
    stopped: () => write({ kind }, 'stopped'),
  };
}

/** Returns true when stdout is read by machines only: nothing but JSON lines may be written to it. */
export function isForMachines({ mode, log }: Config): boolean {
  return mode === 'production' && log.format === 'json';
}
