import { LIMITS } from '@plat/contract';
import type { Request, Response } from 'express';
import type { Counter } from '../../auth/counter.ts';
import { networkOf } from '../../auth/network.ts';
import type { RateLimit } from '../../auth/rate-limit.ts';
import { ApiError } from '../../kernel/api-error.ts';

/** Creates the counter of the entries that a network leaves in the log of an app. */
export function countRefusals(rateLimit: Pick<RateLimit, 'counter'>): Counter {
  const { max: points, seconds } = LIMITS.appSecretFailures;
  return rateLimit.counter('authorize-refusals', { points, seconds });
}

type Logged = <Result>(answer: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that makes a refusal of its part an entry in the log of the app, and rethrows it. The refusal may be
 * sent to the app with a redirect, whose status alone does not show it. Anyone can cause entries, so their number is
 * limited per app and network.
 */
export function logRefusals(refusals: Counter, req: Request, res: Response, appId: string): Logged {
  return async (answer) => {
    try {
      return await answer();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) {
        const { retryAfter } = await refusals.consume(`${appId} ${networkOf(req.ip ?? '')}`);
        if (retryAfter === null) res.locals.app = { id: appId, endpoint: 'authorize' };
        res.locals.refusal = error.toBody();
      }
      throw error;
    }
  };
}
