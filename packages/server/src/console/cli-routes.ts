import { object, oneOf, string } from '@plat/contract/schemas';
import type { RequestHandler } from 'express';
import type { RateLimit } from '../auth/rate-limit.ts';
import { answerDeviceLogin, findDeviceLogin } from '../developer/device-logins.ts';
import { APPROVAL_PATH } from '../developer/device-routes.ts';
import { readUserCode } from '../developer/user-code.ts';
import { limitAddress } from '../http/limit-address.ts';
import { validate } from '../http/validate.ts';
import { answeredPage, approvalPage, codePage } from './cli-pages.ts';
import type { PageAnswer, PageRoute } from './page-route.ts';

/** Limit of tried codes per network: a code has 34 bits and expires after ten minutes (RFC 8628, section 5.1). */
const TRIES = { points: 100, seconds: 600 };

interface Answer {
  readonly user_code: string;
  readonly answer: 'approve' | 'deny';
}
const answerForm = object({ user_code: string(), answer: oneOf(null, ['approve', 'deny']) }, ['user_code', 'answer']);

/** Pages where a developer approves the sign-in of a command line. */
export const cliRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'cli',
    method: 'GET',
    path: APPROVAL_PATH,
    async handle({ session, base, db, now, query }) {
      const { user_code: typed, done } = query;
      const action = base + APPROVAL_PATH;
      if (done === 'approved' || done === 'denied') return { page: answeredPage(done) };
      if (typed === undefined) return { page: codePage({ action }) };
      const userCode = readUserCode(typed);
      const login = userCode === null ? null : await findDeviceLogin(db, userCode, now);
      return userCode === null || !login
        ? noLogin(action)
        : { page: approvalPage({ session, action, userCode, login }) };
    },
  },
  {
    room: 'cli',
    method: 'POST',
    path: APPROVAL_PATH,
    async handle({ session, base, db, now, fields }) {
      const { user_code, answer } = validate('INVALID_REQUEST', answerForm, fields) as Answer;
      const userCode = readUserCode(user_code);
      const approves = answer === 'approve';
      const { developerId } = session;
      const isAnswered = userCode !== null && (await answerDeviceLogin(db, { userCode, developerId, approves, now }));
      return isAnswered
        ? { goTo: `${APPROVAL_PATH}?done=${approves ? 'approved' : 'denied'}` }
        : noLogin(base + APPROVAL_PATH);
    },
  },
];

/** Refuses a network that tries too many codes. Mounted before these pages. */
export function limitUserCodes(rateLimit: Pick<RateLimit, 'counter'>): RequestHandler {
  const limit = limitAddress(rateLimit.counter('user-codes', TRIES));
  return (req, res, next) =>
    req.method === 'POST' || req.query['user_code'] !== undefined ? limit(req, res, next) : next();
}

function noLogin(action: string): PageAnswer {
  const problem =
    'This code is mistyped, older than ten minutes or already answered. Check it, or run plat login again.';
  return { status: 404, page: codePage({ action, problem }) };
}
