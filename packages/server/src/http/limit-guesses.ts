import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Counter, RateState } from '../auth/counter.ts';
import { networkOf } from '../auth/network.ts';
import type { Clock } from '../kernel/clock.ts';
import { remember } from '../kernel/remember.ts';
import { credentialHash } from './credential-hash.ts';
import { toApiError } from './error-handler.ts';
import { tooManyRequests } from './limit-address.ts';

/** A network that has used up its refused credentials. */
interface Block {
  readonly untilMs: number;
  readonly rate: RateState;
}

/**
 * Wraps the authentication of a surface. A network with too many refused credentials gets 429 without a look-up until
 * its window ends. A credential that has succeeded in this process is looked up all the same, so that another caller
 * behind the same address cannot lock it out.
 */
export function limitGuesses(
  failures: Counter,
  clock: Clock,
  authenticate: readonly RequestHandler[],
): (RequestHandler | ErrorRequestHandler)[] {
  const blocked = new Map<string, Block>();
  const working = new Map<string, true>();

  const refuseBlocked: RequestHandler = (req, _res, next) => {
    if (blocked.size === 0) return next();
    const network = networkOf(req.ip ?? '');
    const block = blocked.get(network);
    if (!block) return next();
    const waitMs = block.untilMs - clock();
    if (waitMs <= 0) blocked.delete(network);
    else if (!working.has(credentialHash(req))) {
      throw tooManyRequests({ ...block.rate, retryAfter: Math.ceil(waitMs / 1000) });
    }
    next();
  };

  const rememberWorking: RequestHandler = (req, _res, next) => {
    const credential = credentialHash(req);
    if (!working.has(credential)) remember(working, credential, true);
    next();
  };

  const countFailure: ErrorRequestHandler = (error: unknown, req, _res, next) => {
    const { status } = toApiError(error);
    // 403: a valid key of another surface, whose requests no other limit counts.
    if (status !== 401 && status !== 403) return next(error);
    working.delete(credentialHash(req));
    const network = networkOf(req.ip ?? '');
    failures.consume(network).then((rate) => {
      if (rate.retryAfter === null) return next(error);
      remember(blocked, network, { untilMs: clock() + rate.endsInMs, rate });
      next(tooManyRequests(rate));
    }, next);
  };

  return [refuseBlocked, ...authenticate, rememberWorking, countFailure];
}
