import type { RequestHandler } from 'express';
import type { RateState } from '../auth/counter.ts';
import type { Clock } from '../kernel/clock.ts';
import { count } from '../kernel/meter.ts';
import { remember } from '../kernel/remember.ts';
import { credentialHash } from './credential-hash.ts';
import { overLimit } from './gate.ts';

/** Time in which the refusal of a credential is repeated without a look-up, in ms. A revoked one gets 401 after it. */
const REPEAT_MS = 1_000;

interface Refused {
  readonly rate: RateState;
  /** End by the clock of the windows, and by the machine's: the first one can be moved or frozen. */
  readonly until: number;
  readonly untilTick: number;
}

/**
 * Repeats the 429 of a credential for a second, or until its window ends, before its look-up and its next count. A flood
 * of refused requests then costs no database work.
 */
export function repeatOverLimit(clock: Clock): { readonly repeat: RequestHandler; readonly note: RequestHandler } {
  const refused = new Map<string, Refused>();
  return {
    repeat(req, _res, next) {
      if (refused.size === 0) return next();
      const key = credentialHash(req);
      const found = refused.get(key);
      if (!found) return next();
      if (clock() < found.until && performance.now() < found.untilTick) {
        count('plat_rate_limited_total', { counter: 'rate' });
        throw overLimit(found.rate);
      }
      refused.delete(key);
      next();
    },
    note(req, res, next) {
      const { rate } = res.locals;
      if (!rate || rate.retryAfter === null) return next();
      const key = credentialHash(req);
      const repeatMs = Math.min(REPEAT_MS, rate.endsInMs);
      remember(refused, key, { rate, until: clock() + repeatMs, untilTick: performance.now() + repeatMs });
      next();
    },
  };
}
