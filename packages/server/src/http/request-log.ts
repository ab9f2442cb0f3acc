import { LISTENER_USER_AGENT } from '@plat/contract';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import {
  insertBodies,
  insertRequests,
  REQUESTS_AT_ONCE,
  type RequestBodiesRow,
  type RequestRow,
} from '../db/requests.ts';
import type { RequestRows } from '../db/trim-requests.ts';
import { count } from '../kernel/meter.ts';
import { bodiesOf } from './request-bodies.ts';
import { entryOf, hasFailed, type Timing } from './request-entry.ts';
import { createRequestTrimmer } from './request-trimmer.ts';
import { V1 } from './surfaces.ts';

/** The requests that the log keeps. */
export interface RequestLogLimits {
  /** Selects the requests that are kept in addition to those of sandboxes. With `off`, no request is kept. */
  readonly keep: Config['requestLog'];
  /** Days for which housekeeping keeps entries. */
  readonly days: number;
  /** Maximum number of entries per tenant. */
  readonly rows: RequestRows;
}

export interface RequestLog {
  readonly limits: RequestLogLimits;
  /** Adds the entry of a request that has ended, if the log keeps it. */
  record(req: Request, res: Response, timing: Timing): void;
  /** Resolves when every entry that was added before can be read. Never rejects. */
  flush(): Promise<void>;
  /** Resolves when every entry is written and no trimming is in progress. Never rejects. */
  close(): Promise<void>;
}

interface RequestLogOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly limits: RequestLogLimits;
  /** True if requests without a valid credential are kept too. */
  readonly keepAnonymous: boolean;
}

interface Entry {
  readonly row: RequestRow;
  readonly bodies: RequestBodiesRow | null;
  /** Maximum number of entries of its tenant. */
  readonly keep: number;
}

/** Time that an entry waits to be written with others, in ms. */
const BATCH_DELAY_MS = 100;

/** Maximum number of entries that wait for the database. Further ones are dropped, because requests have priority. */
const MAX_UNWRITTEN = 5_000;

/** Unwritten entries from which on entries have no bodies, to bound their memory. */
const MAX_WITH_BODIES = 500;

/**
 * Creates a request log that writes entries in batches after the responses. No request waits for its entry. Entries are
 * lost if the database refuses them, or if the process is killed before it writes them.
 */
export function createRequestLog({ db, log, limits, keepAnonymous }: RequestLogOptions): RequestLog {
  const { keep, rows } = limits;
  const trimmer = createRequestTrimmer(db, log);
  let waiting: Entry[] = [];
  let unwritten = 0;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) {
      const entries = waiting;
      waiting = [];
      writing = writing.then(() => write(entries));
    }
    return writing;
  }

  async function write(entries: readonly Entry[]): Promise<void> {
    const rows = entries.map(({ row }) => row);
    if (await isStored(insertRequests(db, rows))) {
      for (const { row, keep: most } of entries) trimmer.count(row.tenant_id, most);
      const bodies = entries.flatMap((entry) => entry.bodies ?? []);
      if (bodies.length > 0 && !(await isStored(insertBodies(db, bodies)))) {
        log.warn({ lost: bodies.length }, 'bodies are missing from the request log, which the database did not take');
      }
    } else {
      lost += entries.length;
      count('plat_request_log_dropped_total', {}, entries.length);
    }
    unwritten -= entries.length;
    if (lost > 0) log.warn({ lost }, 'requests are missing from the request log, which the database did not take');
    lost = 0;
  }

  async function isStored(work: Promise<void>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (err) {
      log.debug({ err }, 'the request log could not be written');
      return false;
    }
  }

  return {
    limits,
    flush,
    async close() {
      await flush();
      await trimmer.stop();
    },
    record(req, res, timing) {
      if (keep === 'off' || !isKept(req, res)) return;
      if (unwritten >= MAX_UNWRITTEN) {
        lost++;
        count('plat_request_log_dropped_total', {});
        return;
      }
      unwritten++;
      const most = req.user?.sandbox === false ? rows.production : rows.sandbox;
      const bodies = unwritten > MAX_WITH_BODIES ? null : bodiesOf(req, res, timing.startedAt);
      waiting.push({ row: entryOf(req, res, timing), bodies, keep: most });
      if (waiting.length >= REQUESTS_AT_ONCE) void flush();
      else timer ??= setTimeout(() => void flush(), BATCH_DELAY_MS);
    },
  };

  function isKept(req: Request, res: Response): boolean {
    // The developer of an app sees its refusals, also in production.
    if (res.locals.app && hasFailed(res)) return true;
    if (!V1.test(req.originalUrl)) {
      const isOther = /^\/(?:oauth|developer)\//.test(req.originalUrl);
      return keepAnonymous && isOther && (hasFailed(res) || !isListenerPoll(req, res));
    }
    if (!req.user) return keepAnonymous;
    if (hasFailed(res)) return true;
    // Reads of the log itself and polls of plat listen would fill the log.
    if (/^(?:requests|trace)\./.test(res.locals.operation ?? '') || isListenerPoll(req, res)) return false;
    return keep === 'all' || req.user.sandbox;
  }
}

function isListenerPoll(req: Request, res: Response): boolean {
  if (!/^(?:apps\.)?webhooks\.events\.list$/.test(res.locals.operation ?? '')) return false;
  return req.get('user-agent')?.split(' ').includes(LISTENER_USER_AGENT) ?? false;
}
