import type { RequestHandler } from 'express';
import { unknownRoute } from '../http/error-handler.ts';
import { ApiError } from '../kernel/api-error.ts';

/** A page of another site may send a browser here, which sits at this machine: for it there is nothing here. */
export const notFromPages: RequestHandler = (req, res, next) => {
  const { origin, host, 'sec-fetch-site': site } = req.headers;
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  const isSent = site !== undefined && site !== 'none' && site !== 'same-origin';
  return isForeign || isSent ? unknownRoute(req, res, next) : next();
};

export const PRODUCTION_DATA =
  'A server in production has used this database, so its clock, faults and mail are not for play';

/** 403 for a database of production: moved clocks and faults would do harm there, and mail shows what is secret. */
export function refuseProductionData(isOfProduction: () => Promise<boolean>): RequestHandler {
  return async (_req, _res, next) => {
    if (await isOfProduction()) {
      throw new ApiError('DEV_TOOLS_REFUSED', `${PRODUCTION_DATA}. Start the development mode with another database`);
    }
    next();
  };
}
