import { object, string } from '@plat/contract/schemas';
import { Router } from 'express';
import { errorPage } from '../http/error-page.ts';
import { formOf, readForm } from '../http/form.ts';
import { OWN_FORMS, prefersJson, sendPage } from '../http/page.ts';
import type { PipelineServices } from '../http/pipeline.ts';
import { sendJson } from '../http/respond.ts';
import { validate } from '../http/validate.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import { admitPages } from './admit-page.ts';
import { acceptedPage, invitationPage, refusalPage } from './invitation-pages.ts';
import { ACCEPT_PATH, readInvitationWords } from './invitations.ts';
import { presentUser } from './users.ts';

const form = object({ token: string() }, ['token']);

type InvitationServices = Pick<PipelineServices, 'db' | 'clock' | 'admission'>;

/**
 * Serves the page that the link of an invitation opens. Showing it changes nothing, because mail scanners follow links;
 * its button accepts. The token replaces a session. With `Accept: application/json` the response is the user.
 */
export function invitationRoutes({ db, clock, admission }: InvitationServices): Router {
  const admitted = admitPages(admission);
  const router = Router({ caseSensitive: true, strict: true });

  const show = admitted(async (req, res) => {
    const token = typeof req.query['token'] === 'string' ? req.query['token'] : '';
    const user = await readInvitation(db, { token, now: clock() });
    res.setHeader('Cache-Control', 'no-store');
    if (prefersJson(req)) return sendJson(res, 200, JSON.stringify(presentUser(user)));
    const words = await readInvitationWords(db, user, null);
    sendPage(res, 200, invitationPage(user, words, token), OWN_FORMS);
  });
  router.get(ACCEPT_PATH, show);

  const accept = admitted(async (req, res) => {
    const { token } = validate('INVALID_REQUEST', form, formOf(req)) as { token: string };
    const request = { requestId: res.locals.requestId, ip: req.ip ?? null };
    const user = await acceptInvitation(db, { token, now: clock() }, request);
    res.setHeader('Cache-Control', 'no-store');
    if (prefersJson(req)) return sendJson(res, 200, JSON.stringify(user));
    sendPage(res, 200, acceptedPage(user.email, res.locals.site.base));
  });
  router.post(ACCEPT_PATH, readForm, accept);

  router.use(ACCEPT_PATH, errorPage(refusalPage));
  return router;
}
