import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Clock } from '../kernel/clock.ts';
import { remember } from '../kernel/remember.ts';
import { callerInside } from './call-inside.ts';
import { credentialHash } from './credential-hash.ts';
import { overLimit } from './gate.ts';
import { type PreparedRefusal, prepareRefusal } from './prepared-refusal.ts';

/** Time in which the refusal of a credential is repeated without a look-up, in ms. A revoked one gets 401 after it. */
const REPEAT_MS = 1_000;

/** The refusal of a credential over its limit. */
export interface RepeatedRefusal {
  readonly refusal: PreparedRefusal;
  /** Ids of the tenant and of the credential, for the log. */
  readonly caller: { readonly tenant: string; readonly credential: string };
}

interface Remembered extends RepeatedRefusal {
  /** End by the clock of the windows, and by the machine's: the first one can be moved or frozen. */
  readonly until: number;
  readonly untilTick: number;
}

export interface OverLimit {
  /** Returns the refusal that a request gets; undefined if its credential is looked up and counted. */
  findRefusal(req: Pick<IncomingMessage, 'headers'>): RepeatedRefusal | undefined;
  /** Remembers the credential of a request that was just counted, if it is over its limit. */
  readonly noteRefusal: RequestHandler;
}

/**
 * Repeats the 429 of a credential for a second, or until its window ends, before its look-up and its next count. A flood
 * of refused requests then costs no database work.
 */
export function createOverLimit(clock: Clock): OverLimit {
  const refused = new Map<string, Remembered>();
  return {
    findRefusal(req) {
      if (refused.size === 0) return undefined;
      const key = credentialHash(req);
      const found = refused.get(key);
      if (!found || (clock() < found.until && performance.now() < found.untilTick)) return found;
      refused.delete(key);
      return undefined;
    },
    noteRefusal(req, res, next) {
      const { user } = req;
      const { rate } = res.locals;
      // A call of the console comes from inside, where nothing is repeated.
      if (user && !callerInside(req) && rate && rate.retryAfter !== null) {
        const repeatMs = Math.min(REPEAT_MS, rate.endsInMs);
        remember(refused, credentialHash(req), {
          refusal: prepareRefusal(overLimit(rate)),
          caller: { tenant: user.tenantId, credential: user.id },
          until: clock() + repeatMs,
          untilTick: performance.now() + repeatMs,
        });
      }
      next();
    },
  };
}
