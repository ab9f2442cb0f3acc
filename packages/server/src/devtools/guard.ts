import type { RequestHandler } from 'express';
import { unknownRoute } from '../http/error-handler.ts';
import { ApiError } from '../kernel/api-error.ts';

/** Responds 404 to requests from pages of other sites: such a page can send requests from a browser on this machine. */
export const notFromPages: RequestHandler = (req, res, next) => {
  const { origin, host, 'sec-fetch-site': site } = req.headers;
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  const isSent = site !== undefined && site !== 'none' && site !== 'same-origin';
  return isForeign || isSent ? unknownRoute(req, res, next) : next();
};

export const PRODUCTION_DATA =
  'A server in production has used this database, so its clock, faults and mail are not for play';

/** Responds 403 for a production database, where moved clocks and faults would do harm and mails show secrets. */
export function refuseProductionData(isOfProduction: () => Promise<boolean>): RequestHandler {
  return async (_req, _res, next) => {
    if (await isOfProduction()) {
      throw new ApiError('DEV_TOOLS_REFUSED', `${PRODUCTION_DATA}. Start the development mode with another database`);
    }
    next();
  };
}
