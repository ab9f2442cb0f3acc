import {
  DEVICE_PATHS,
  type DeviceCodeParams,
  type DeviceCodeResponse,
  type DeviceTokenParams,
  type ErrorCode,
  LIMITS,
} from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import { SCHEMAS } from '@plat/contract/schemas';
import { Router } from 'express';
import type { RateLimit } from '../auth/rate-limit.ts';
import { UNKNOWN } from '../auth/shares.ts';
import { parseJsonBody, readSmallBody } from '../http/body.ts';
import { callOf } from '../http/call.ts';
import { limitAddress } from '../http/limit-address.ts';
import type { PipelineServices } from '../http/pipeline.ts';
import { sendJson } from '../http/respond.ts';
import { validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { oneLine } from '../mail/message.ts';
import { allowOnly, answerRefusal, noStore } from '../oauth/refusals.ts';
import { beginDeviceLogin } from './device-logins.ts';
import { exchangeDeviceCode } from './exchange-device-code.ts';
import { createPollPace } from './poll-pace.ts';

/** Path of the page where developers approve or deny. */
export const APPROVAL_PATH = '/console/cli';

/** Limit of new logins per network: each stores a row. */
const BEGUN = { points: 100, seconds: 600 };

type Services = Pick<PipelineServices, 'db' | 'clock' | 'baseUrl' | 'admission'> & { readonly rateLimit: RateLimit };

/** Serves the endpoints that a command line uses to log in (RFC 8628). */
export function deviceRoutes({ db, clock, baseUrl, rateLimit, admission }: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const pace = createPollPace();
  const begun = rateLimit.counter('device-logins', BEGUN);
  router.use([DEVICE_PATHS.code, DEVICE_PATHS.token], noStore, limitAddress(rateLimit.byAddress('device')));

  router.post(DEVICE_PATHS.code, limitAddress(begun), readSmallBody, async (req, res) => {
    const { client_name } = validate('INVALID_BODY', SCHEMAS.DeviceCodeParams, parseJsonBody(req)) as DeviceCodeParams;
    const ip = req.ip ?? null;
    const login = { clientName: oneLine(client_name), ip, now: clock() };
    const begin = () => beginDeviceLogin(db, login);
    const { deviceCode, userCode } = await admission.run(UNKNOWN.visitors, begin, callOf(req));
    const page = baseUrl() + APPROVAL_PATH;
    const answer: DeviceCodeResponse = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: LIMITS.deviceLogin.seconds,
      interval: LIMITS.deviceLogin.intervalSeconds,
    };
    sendJson(res, 200, JSON.stringify(answer));
  });

  router.post(DEVICE_PATHS.token, readSmallBody, async (req, res) => {
    const { device_code } = validate(
      'INVALID_BODY',
      SCHEMAS.DeviceTokenParams,
      parseJsonBody(req),
    ) as DeviceTokenParams;
    const { requestId } = res.locals;
    const ip = req.ip ?? null;
    const exchange = () => exchangeDeviceCode(db, pace, { deviceCode: device_code, now: clock(), requestId, ip });
    const outcome = await admission.run(UNKNOWN.visitors, exchange, callOf(req));
    if (typeof outcome === 'string') throw refused(outcome);
    sendJson(res, 200, JSON.stringify(outcome));
  });

  router.use([DEVICE_PATHS.code, DEVICE_PATHS.token], allowOnly('POST'), answerRefusal);
  return router;
}

function refused(code: ErrorCode): ApiError {
  return new ApiError(
    code,
    code === 'INVALID_GRANT' ? 'The device code is unknown or used' : ERROR_REFERENCE[code].description,
  );
}
