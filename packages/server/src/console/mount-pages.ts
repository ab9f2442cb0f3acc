import { pipeline } from 'node:stream/promises';
import { LIMITS } from '@plat/contract';
import type { Request, RequestHandler, Response, Router } from 'express';
import { changeAs } from '../accounts/change-as.ts';
import { accountIdOf, adminSessionOf, developerSessionOf, postedFields, requireCsrf } from '../accounts/session.ts';
import type { SessionKind } from '../accounts/session-cookie.ts';
import { addUserSession, currentAccount, type SessionServices } from '../accounts/session-middleware.ts';
import { switchAccount } from '../accounts/switch-account.ts';
import { readingAs, type WriteServices, writeAs } from '../accounts/write-as.ts';
import type { Admission } from '../auth/admission.ts';
import type { Counter } from '../auth/counter.ts';
import { pagesOf } from '../auth/shares.ts';
import { begunCall } from '../http/call.ts';
import type { CallInside } from '../http/call-inside.ts';
import { unknownRoute } from '../http/error-handler.ts';
import { openEventStream } from '../http/event-stream.ts';
import { countSandboxWrite } from '../http/gate.ts';
import { PROXY_HEADERS } from '../http/loopback-only.ts';
import { formsTo, OWN_FORMS, sendPage } from '../http/page.ts';
import { rateLimited } from '../http/rate-limited.ts';
import type { RequestLog } from '../http/request-log.ts';
import { sendJson } from '../http/respond.ts';
import { redirectTo } from '../http/site.ts';
import type { LaunchSigner } from '../launch/launch-signer.ts';
import { explainCredential } from '../oauth/explain-credential.ts';
import { macKeysOf } from '../oauth/refresh-token.ts';
import type { RequestTail } from '../resources/requests/request-tail.ts';
import { mayEnter, requireAccess } from './access.ts';
import { signedInPage } from './layout.ts';
import type { FileAnswer, KeepSandboxKey, PageAnswer, PageCall, PageRoute, Sessions } from './page-route.ts';
import { refusedFilters } from './parts/list.ts';
import { requireAdmin, requireDeveloper } from './require-session.ts';

export interface PageServices extends WriteServices, SessionServices {
  readonly admission: Admission;
  readonly launchSigner: LaunchSigner;
  /** True if users of sandboxes get launch tokens. */
  readonly launchesSandboxes: boolean;
  readonly keepSandboxKey: KeepSandboxKey;
  readonly callInside: CallInside;
  readonly requestTail: RequestTail;
  readonly requestLog: Pick<RequestLog, 'limits'>;
  /** Counts the posts of an account. */
  readonly posts: Counter;
  /** Counts the changes of a sandbox, with those over /v1. */
  readonly writes: Counter;
}

/** Pattern of an id of any kind, or the slug of a module. Other texts never reach the database. */
const ID_OR_SLUG = new RegExp(`^[\\w-]{1,${LIMITS.slug.max}}$`);

/** Limit of posts per account: more than a person needs, far less than a database can handle. */
export const POSTS = { points: 60, seconds: 60 };

/** Session of the pages of one kind of account. */
export interface House<Kind extends SessionKind> {
  /** Path before the rooms that both kinds have. */
  readonly prefix: string;
  readonly signedIn: RequestHandler;
  sessionOf(req: Request): Sessions[Kind] | null;
}

export const DEVELOPERS: House<'developer'> = {
  prefix: '/console',
  signedIn: requireDeveloper,
  sessionOf: developerSessionOf,
};
export const ADMINS: House<'admin'> = { prefix: '', signedIn: requireAdmin, sessionOf: adminSessionOf };

/** Mounts pages. Each requires a session, and refuses forms that another site sent. */
export function mountPages<Kind extends SessionKind>(
  router: Router,
  { prefix, signedIn, sessionOf }: House<Kind>,
  routes: readonly PageRoute<Kind>[],
  services: PageServices,
): void {
  for (const { room, within, needs, method, path, callsApi = false, handle } of routes) {
    const answer: RequestHandler = async (req, res, next) => {
      const session = sessionOf(req);
      if (!session) return;
      if (Object.values(req.params).some((id) => !ID_OR_SLUG.test(String(id))))
        return void unknownRoute(req, res, next);
      requireAccess(session, room, needs ?? (method === 'GET' ? 'read' : 'change'));
      if (within) requireAccess(session, within, 'read');
      const admitted: Admitted = (work) => services.admission.run(pagesOf(session.tenantId), work, begunCall(req));
      const answered = async (): Promise<PageAnswer> => {
        const call = { ...pageCallOf(req, res, session, services), prefix };
        const found = await (method === 'GET' ? answerTo(handle, call) : handle(call));
        if ('goTo' in found && found.switchTo) await switchAccount(services, req, res, found.switchTo);
        if ('goTo' in found && found.actAs) addUserSession(res, services, found.actAs);
        return found;
      };
      const given = await (callsApi ? answered() : admitted(answered));
      if ('goTo' in given) return redirectTo(res, given.goTo);
      if ('file' in given) return sendFile(res, given, admitted);
      if ('json' in given) {
        res.setHeader('Cache-Control', 'no-store');
        return sendJson(res, 200, JSON.stringify(given.json));
      }
      if ('follow' in given) return given.follow(openEventStream(res));
      const page = signedInPage(session, res.locals.site.base, given.page, services.clock());
      // A form to another site names its sender, so that a receiver can allow the platform in its check of origins.
      const policy = given.formOrigin === undefined ? OWN_FORMS : { ...formsTo(given.formOrigin), showsOrigin: true };
      sendPage(res, given.status ?? 200, page, policy);
    };
    if (method === 'GET') router.get(path, signedIn, answer);
    else router.post(path, signedIn, requireCsrf, limited, answer);
  }

  async function limited(req: Request, _res: Response, next: () => void): Promise<void> {
    const session = sessionOf(req);
    const rate = await services.posts.consume(session ? accountIdOf(session) : '');
    if (rate.retryAfter === null) return next();
    throw rateLimited(`Too many requests; try again in ${rate.retryAfter} s`, rate);
  }
}

/** Answers a GET. A list that refuses filters is shown without them, with an error beside each. */
async function answerTo<Kind extends SessionKind>(
  handle: PageRoute<Kind>['handle'],
  call: PageCall<Kind>,
): Promise<PageAnswer> {
  try {
    return await handle(call);
  } catch (error) {
    const refused = refusedFilters(error, call.query);
    if (refused === null) throw error;
    const query = Object.fromEntries(Object.entries(call.query).filter(([name]) => !Object.hasOwn(refused, name)));
    const found = await answerTo(handle, { ...call, query, refused: { ...call.refused, ...refused } });
    // A saved file must not have entries that the filter excludes.
    if (!('page' in found)) throw error;
    return found;
  }
}

/** Runs work of the account's pages when it is admitted. */
type Admitted = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A failure on the way ends the connection, so that a browser reports the file as incomplete. Each piece is admitted by
 * itself: a slow reader holds no slot.
 */
async function sendFile(
  res: Response,
  { file: { name, type, content } }: FileAnswer,
  admitted: Admitted,
): Promise<void> {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  res.setHeader('Cache-Control', 'no-store');
  await pipeline(piecesOf(content, admitted), res).catch((error: unknown) => {
    res.locals.failure = error;
    res.destroy();
  });
}

async function* piecesOf(content: AsyncIterable<string>, admitted: Admitted): AsyncGenerator<string> {
  const pieces = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await admitted(() => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}

function pageCallOf<Kind extends SessionKind>(
  req: Request,
  res: Response,
  session: Sessions[Kind],
  services: PageServices,
): Omit<PageCall<Kind>, 'prefix'> {
  const request = { requestId: res.locals.requestId, ip: req.ip ?? null };
  const ids = texts(req.params);
  return {
    session,
    db: services.db,
    ctx: readingAs(services, { session, ...request }),
    launchSigner: services.launchSigner,
    launchesSandboxes: services.launchesSandboxes,
    keepSandboxKey: services.keepSandboxKey,
    quotas: services.quotas,
    requestTail: services.requestTail,
    logged: services.requestLog.limits,
    async isStillAllowed(room) {
      const account = await currentAccount(services.db, session.kind, req);
      return account?.tenantId === session.tenantId && mayEnter(account, room, 'read');
    },
    now: services.clock(),
    base: res.locals.site.base,
    baseUrl: services.baseUrl(),
    id: ids['id'] ?? '',
    ids,
    query: texts(req.query),
    refused: {},
    fields: req.method === 'POST' ? postedFields(req) : {},
    call: (given) =>
      services.callInside({
        ...given,
        headers: { ...hopsOf(req), ...given.headers },
        ip: request.ip,
        userAgent: req.get('user-agent'),
      }),
    explain: (credential) =>
      explainCredential(
        {
          ...{ db: services.db, now: services.clock(), macKeys: macKeysOf(services.sealer) },
          tenantId: session.tenantId,
          developerId: session.kind === 'developer' ? session.developerId : null,
        },
        credential,
      ),
    change: (work) => changeAs(services, { session, ...request }, work),
    async write(work) {
      await countSandboxWrite(services.writes, session);
      return writeAs(services, { session, ...request }, work);
    },
  };
}

/** Returns the headers by which tools of the development mode recognize a local caller. */
function hopsOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    ['host', ...PROXY_HEADERS].flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

function texts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const single = Object.entries(given).filter((field): field is [string, string] => typeof field[1] === 'string');
  return Object.fromEntries(single);
}
