import { type LoadSample, wrk } from '../lib/wrk.ts';

/** Target and requests of a load. */
export interface Target {
  readonly pid: number;
  readonly databasePid: number;
  readonly url: string;
  readonly apiKey: string;
  readonly action: 'list' | 'create';
  /** Duration; defaults to 1. */
  readonly seconds?: number;
}

let runs = 0;

/**
 * Loads a server over 16 connections.
 * @throws Error when any response is not 2xx
 */
export function load({ apiKey, action, seconds = 1, ...target }: Target): Promise<LoadSample> {
  return wrk({
    ...target,
    connections: 16,
    seconds,
    script: new URL(`./${action}.lua`, import.meta.url),
    headers: { Authorization: `Bearer ${apiKey}` },
    args: [`${Date.now().toString(36)}${runs++}`],
  });
}
