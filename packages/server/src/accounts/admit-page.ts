import type { Request, RequestHandler, Response } from 'express';
import type { Admission } from '../auth/admission.ts';
import { pagesOf, UNKNOWN } from '../auth/shares.ts';
import { begunCall, callOf } from '../http/call.ts';

/** Handler of a page, behind the reader of its form. */
export type PageHandler = (req: Request, res: Response) => Promise<void>;

/**
 * Returns a function that admits the work of a page's handler: of the account's tenant, or of visitors. Mount the
 * handler behind the reader of the form, so that a slow client holds no slot.
 */
export function admitPages(admission: Admission): (handle: PageHandler) => RequestHandler {
  return (handle) => (req, res) => {
    const work = () => handle(req, res);
    const { account } = req;
    if (account) return admission.run(pagesOf(account.tenantId), work, begunCall(req));
    return admission.run(UNKNOWN.visitors, work, callOf(req));
  };
}
