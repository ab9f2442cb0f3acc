import { LIMITS } from '@plat/contract';
import { boolean, integer, object, time as timeField } from '@plat/contract/schemas';
import { type Request, Router } from 'express';
import { parseJsonBody, readSmallBody } from '../http/body.ts';
import { validQuery } from '../http/query.ts';
import { sendJson } from '../http/respond.ts';
import { refusal, validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { DEFAULT_TIMEOUT_MS, type DevClockState, type TimeControl } from './time-control.ts';

const MOST_MS = LIMITS.devWaitSeconds.max * 1000;
/** A hundred years. A larger value is a mistake. */
const MAX_SECONDS = 100 * 366 * 86_400;
const timeout_ms = integer(1, MOST_MS);
const travel = { force: boolean(), persistent: boolean(), timeout_ms };

interface PersistentFields {
  /** True: the caller accepts that data which outlives the server gets times that are not real. */
  readonly persistent?: boolean;
}
interface TravelFields extends PersistentFields {
  readonly force?: boolean;
  readonly timeout_ms?: number;
}
interface FreezeFields extends TravelFields {
  readonly at?: string;
}
interface SetFields extends TravelFields {
  readonly at: string;
}
interface AdvanceFields extends TravelFields {
  readonly seconds?: number;
  readonly to?: string;
}
interface IdleFields {
  readonly timeout_ms?: number;
}

const FREEZE = object({ at: timeField(), ...travel });
const SET = object({ at: timeField(), ...travel }, ['at']);
const ADVANCE = object({ seconds: integer(0, MAX_SECONDS), to: timeField(), ...travel });
const NOTHING = object({});
const IDLE = object({ timeout_ms });

/**
 * `/_dev/clock` and `/_dev/idle`: moves the clock of the server.
 * @param isEphemeral true if the data ends with the server. Other data keeps the times that it gets, so the clock then
 * moves only if the caller sends `"persistent": true`.
 */
export function clockRoutes(time: TimeControl, isEphemeral: boolean): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const requireConsent = ({ persistent = false }: PersistentFields): void => {
    if (!isEphemeral && !persistent) throw persistentDataRefused();
  };
  const answer = (path: string, act: (req: Request) => Promise<DevClockState>): void => {
    router.post(`/_dev/clock/${path}`, readSmallBody, async (req, res) =>
      sendJson(res, 200, JSON.stringify(await act(req))),
    );
  };

  router.get('/_dev/clock', async (_req, res) => sendJson(res, 200, JSON.stringify(await time.read())));
  answer('freeze', (req) => {
    const { at, ...fields } = validate('INVALID_BODY', FREEZE, parseJsonBody(req)) as FreezeFields;
    requireConsent(fields);
    return time.freeze(at === undefined ? undefined : Date.parse(at), travelOf(fields));
  });
  answer('set', (req) => {
    const { at, ...fields } = validate('INVALID_BODY', SET, parseJsonBody(req)) as SetFields;
    requireConsent(fields);
    return time.set(Date.parse(at), travelOf(fields));
  });
  answer('advance', (req) => {
    const { seconds, to, ...fields } = validate('INVALID_BODY', ADVANCE, parseJsonBody(req)) as AdvanceFields;
    if ((seconds === undefined) === (to === undefined)) {
      throw refusal('INVALID_BODY', [{ path: 'seconds', message: 'is needed, or "to" in its place, not both' }]);
    }
    requireConsent(fields);
    if (to !== undefined) return time.set(Date.parse(to), travelOf(fields));
    return time.advance((seconds ?? 0) * 1000, travelOf(fields));
  });
  answer('resume', (req) => {
    validate('INVALID_BODY', NOTHING, parseJsonBody(req));
    return time.resume();
  });
  answer('reset', (req) => {
    validate('INVALID_BODY', NOTHING, parseJsonBody(req));
    return time.reset();
  });

  const wait = async ({ timeout_ms }: IdleFields): Promise<string> => {
    const startedAt = performance.now();
    await time.idle(timeout_ms ?? DEFAULT_TIMEOUT_MS);
    return JSON.stringify({ object: 'dev_idle', idle: true, waited_ms: Math.round(performance.now() - startedAt) });
  };
  router.get('/_dev/idle', async (req, res) => sendJson(res, 200, await wait(validQuery(IDLE, req) as IdleFields)));
  router.post('/_dev/idle', readSmallBody, async (req, res) =>
    sendJson(res, 200, await wait(validate('INVALID_BODY', IDLE, parseJsonBody(req)) as IdleFields)),
  );
  return router;
}

function persistentDataRefused(): ApiError {
  return new ApiError(
    'UNPROCESSABLE',
    'This sandbox keeps its data, and what is created while its clock is moved keeps those times: receivers refuse deliveries that are signed at another time, and lists show later objects first. Use a throwaway sandbox (plat dev --fresh), or repeat the call with "persistent": true (plat: --persistent). "plat dev clock reset" returns to real time, and "plat sandbox reset" removes what was created in the future',
  );
}

function travelOf({ force, timeout_ms: timeoutMs }: TravelFields) {
  return { force, timeoutMs };
}
