import { spawnNode } from '../support/process.ts';

/** One request; the process sends a list of them in turn. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  /** API key. */
  readonly key: string;
  readonly body?: unknown;
}

/** A load on one server. */
export type LoadSpec = Load & { readonly port: number };

/** A load. */
export type Load = {
  readonly requests: readonly LoadRequest[];
  readonly seconds: number;
  /** Maximum number of connections. A request that is due while all are busy is not sent. */
  readonly connections: number;
  /** Time for the responses of the last requests, in ms; 0 by default. */
  readonly graceMs?: number;
} & (
  | {
      /** Requests a second, whether or not earlier ones were answered. */
      readonly rate: number;
    }
  | {
      /** Number of callers that send their next request after the response. */
      readonly callers: number;
    }
);

/** Number and durations, in ms, of the responses with one status. */
export interface StatusFigures {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, StatusFigures>>;
  /** Responses with a 2xx status. */
  readonly good: StatusFigures;
  /** Requests that no free connection could take. */
  readonly notSent: number;
  /** Requests without a response at the end, or after the grace. */
  readonly unanswered: number;
  /** Connections that ended while a request waited. */
  readonly broken: number;
  /** Processors that the sending process used. */
  readonly cpus: number;
  /** p99 of the delay of sends, in ms. */
  readonly lateMs: number;
}

/** Sends a load from another process. */
export async function offerLoad(spec: LoadSpec): Promise<LoadResult> {
  const sender = spawnNode('tests/drills/load-process.ts', { args: [JSON.stringify(spec)] });
  const { code } = await sender.exited;
  if (code !== 0) throw new Error(`the load ended with ${code}: ${sender.stderr()}`);
  return JSON.parse(sender.stdout());
}

/** Responses with a 2xx status a second. */
export function goodputOf({ good, seconds }: LoadResult): number {
  return good.count / seconds;
}
