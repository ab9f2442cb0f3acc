import { type Request, type Response, Router } from 'express';
import { developerSessionOf, postedFields, requireCsrf } from '../accounts/session.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import { answerDeviceLogin, findDeviceLogin } from '../developer/device-logins.ts';
import { APPROVAL_PATH, limitAddress } from '../developer/device-routes.ts';
import { readUserCode } from '../developer/user-code.ts';
import { OWN_FORMS, type Page, sendPage } from '../http/page.ts';
import type { PipelineServices } from '../http/pipeline.ts';
import { object, oneOf, string } from '../http/rules.ts';
import { validate } from '../http/validate.ts';
import { answeredPage, approvalPage, codePage } from './cli-pages.ts';
import { signedInPage } from './layout.ts';
import { requireDeveloper } from './require-session.ts';

/** Codes that one address may try: a code has 34 bits and lives ten minutes (RFC 8628, section 5.1). */
const TRIES = { points: 100, seconds: 600 };

interface Answer {
  readonly user_code: string;
  readonly answer: 'approve' | 'deny';
}
const answerForm = object<Answer>({ user_code: string(), answer: oneOf(['approve', 'deny']) });

type Services = Pick<PipelineServices, 'db' | 'clock'> & { readonly rateLimit: Pick<RateLimit, 'counter'> };

/** Where a developer answers the login of a command line. */
export function cliRoutes({ db, clock, rateLimit }: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const limitTries = limitAddress(rateLimit.counter('user-codes', TRIES));

  router.get(APPROVAL_PATH, requireDeveloper, ifCodeGiven(limitTries), async (req, res) => {
    const session = developerSessionOf(req);
    if (!session) return;
    const path = res.locals.site.base + APPROVAL_PATH;
    const typed = req.query['user_code'];
    if (typed === undefined) return show(req, res, 200, codePage({ path }));
    const userCode = readUserCode(String(typed));
    const login = userCode === null ? null : await findDeviceLogin(db, userCode, clock());
    if (userCode === null || !login) return show(req, res, 404, codePage({ path, problem: NO_LOGIN }));
    show(req, res, 200, approvalPage({ session, path, userCode, login }));
  });

  router.post(APPROVAL_PATH, requireDeveloper, requireCsrf, limitTries, async (req, res) => {
    const session = developerSessionOf(req);
    if (!session) return;
    const { user_code, answer } = validate('INVALID_REQUEST', answerForm, postedFields(req)) as Answer;
    const userCode = readUserCode(user_code);
    const approves = answer === 'approve';
    const { developerId } = session;
    const isAnswered =
      userCode !== null && (await answerDeviceLogin(db, { userCode, developerId, approves, now: clock() }));
    const path = res.locals.site.base + APPROVAL_PATH;
    if (isAnswered) show(req, res, 200, answeredPage(approves));
    else show(req, res, 404, codePage({ path, problem: NO_LOGIN }));
  });

  return router;
}

const NO_LOGIN =
  'No login waits under this code: it is mistyped, older than ten minutes, or answered. Start again with plat login if need be.';

function ifCodeGiven(limit: ReturnType<typeof limitAddress>): typeof limit {
  return (req, res, next) => (req.query['user_code'] === undefined ? next() : limit(req, res, next));
}

function show(req: Request, res: Response, status: number, page: Page): void {
  const session = developerSessionOf(req);
  if (session) sendPage(res, status, signedInPage(session, res.locals.site.base, page), OWN_FORMS);
}
