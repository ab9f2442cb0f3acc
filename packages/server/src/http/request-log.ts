import { LISTENER_USER_AGENT } from '@plat/contract';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { insertRequests, REQUESTS_AT_ONCE, type RequestRow } from '../db/requests.ts';
import type { RequestRows } from '../db/trim-requests.ts';
import { entryOf, hasFailed, type Passed } from './request-entry.ts';
import { createRequestTrimmer } from './request-trimmer.ts';

export interface RequestLog {
  /** Takes down a request that is over, if it is of those that are kept. */
  record(req: Request, res: Response, passed: Passed): void;
  /** Resolves when all that was taken down before can be read. Throws nothing. */
  flush(): Promise<void>;
  /** Resolves when nothing is left to write and no trimming is in progress. Throws nothing. */
  close(): Promise<void>;
}

interface RequestLogOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Which requests are kept beside those of sandboxes; `off`: none of either. */
  readonly keep: Config['requestLog'];
  /** True: requests without a valid credential are kept too. */
  readonly keepAnonymous: boolean;
  /** Entries that a tenant keeps. */
  readonly rows: RequestRows;
}

interface Entry {
  readonly row: RequestRow;
  /** Rows that its tenant keeps. */
  readonly keep: number;
}

/** How long an entry waits for others, in ms. */
const PATIENCE_MS = 100;

/** As many may wait for the database before further ones are let go: requests come first. */
const MOST_WAITING = 5_000;

/**
 * Writes requests behind their answers, many at a time: none waits for its entry, and one that the database does not
 * take is lost. What a process has not written when it is killed is lost too.
 */
export function createRequestLog({ db, log, keep, keepAnonymous, rows }: RequestLogOptions): RequestLog {
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
    try {
      await insertRequests(
        db,
        entries.map(({ row }) => row),
      );
      for (const { row, keep: most } of entries) trimmer.count(row.tenant_id, most);
    } catch (err) {
      lost += entries.length;
      log.debug({ err }, 'the request log could not be written');
    }
    unwritten -= entries.length;
    if (lost > 0) log.warn({ lost }, 'requests are missing from the request log, which the database did not take');
    lost = 0;
  }

  return {
    flush,
    async close() {
      await flush();
      await trimmer.stop();
    },
    record(req, res, passed) {
      if (keep === 'off' || !isKept(req, res)) return;
      if (unwritten >= MOST_WAITING) {
        lost++;
        return;
      }
      unwritten++;
      const most = req.user?.sandbox === false ? rows.production : rows.sandbox;
      waiting.push({ row: entryOf(req, res, passed), keep: most });
      if (waiting.length >= REQUESTS_AT_ONCE) void flush();
      else timer ??= setTimeout(() => void flush(), PATIENCE_MS);
    },
  };

  function isKept(req: Request, res: Response): boolean {
    if (!req.originalUrl.startsWith('/v1/')) return keepAnonymous && /^\/(?:oauth|developer)\//.test(req.originalUrl);
    if (!req.user) return keepAnonymous;
    if (hasFailed(res)) return true;
    // Polls of the log itself and of plat listen would fill the log.
    if (res.locals.operation?.startsWith('requests.') || isListenerPoll(req, res)) return false;
    return keep === 'all' || req.user.sandbox;
  }
}

function isListenerPoll(req: Request, res: Response): boolean {
  if (res.locals.operation !== 'webhooks.events.list') return false;
  return req.get('user-agent')?.split(' ').includes(LISTENER_USER_AGENT) ?? false;
}
