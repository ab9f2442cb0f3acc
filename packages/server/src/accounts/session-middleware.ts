import type { Request, RequestHandler, Response } from 'express';
import session, { type SessionData } from 'express-session';
import { Passport } from 'passport';
import { type LookUpServices, pagesOf, UNKNOWN } from '../auth/shares.ts';
import type { Database } from '../db/database.ts';
import { begunCall } from '../http/call.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { AdminSession, DeveloperSession } from './session.ts';
import { cookieName, cookieOptions, csrfTokenOf, newSecret, type SessionKind, signedId } from './session-cookie.ts';
import { type AccountRef, type BegunSession, SESSION_MS, SessionStore } from './session-store.ts';

declare global {
  namespace Express {
    interface Request {
      /** Secret of the session that began with this request. */
      begunSession?: string;
    }
  }
}

export interface SessionServices extends LookUpServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  /** True if browsers reach this server over TLS, which a proxy may terminate. */
  readonly isSecure: boolean;
}

/** Sets `req.account` from the session cookie. A visitor gets no session and no cookie. */
export function sessionMiddleware(kind: SessionKind, services: SessionServices): RequestHandler[] {
  const { db, clock, sealer, isSecure, admission, shares } = services;
  const passport = new Passport();
  passport.serializeUser((account, done) => done(null, account));
  passport.deserializeUser(
    (req: Request, ref: AccountRef, done: (error: unknown, user?: Express.User | false) => void) => {
      const find = () => findAccount(db, kind, ref, req.sessionID);
      const share = shares.of(req.sessionID, UNKNOWN.visitors);
      admission.run(share, find, begunCall(req)).then((account) => {
        if (account) shares.add(req.sessionID, pagesOf(account.tenantId));
        // Without an account, Passport empties the session, and the store deletes its row.
        done(null, account ? asUser(account) : false);
      }, done);
    },
  );

  return [
    (req, _res, next) => {
      // express-session sends a Secure cookie only if it sees TLS, which a proxy may terminate.
      if (isSecure) Object.defineProperty(req, 'secure', { value: true });
      next();
    },
    session({
      name: cookieName(kind, isSecure),
      secret: [...sealer.keysFor(keysOf(kind))],
      store: new SessionStore(db, kind, clock, async (id, read) => {
        const found = await admission.run(shares.of(id, UNKNOWN.visitors), read);
        if (found === null) shares.remove(id);
        return found;
      }),
      genid: (req: Request) => req.begunSession ?? newSecret(),
      cookie: { ...cookieOptions(isSecure), maxAge: SESSION_MS },
      resave: false,
      saveUninitialized: false,
    }),
    passport.initialize({ userProperty: 'account', compat: false }),
    passport.session(),
    (req, res, next) => {
      if (req.account) res.locals.csrfToken = req.account.csrfToken;
      next();
    },
  ];
}

/** Gives the browser a session that has begun. The session with the former id ends. */
export function beginSession(req: Request, { secret, ...account }: BegunSession): Promise<void> {
  req.begunSession = secret;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  req.logIn(asUser(account), (error) => (error ? reject(error) : resolve()));
  return promise;
}

/** Reads the account of a session again. Resolves to null when the session, the account or its tenant is no longer active. */
export async function currentAccount(
  db: Database,
  kind: SessionKind,
  { sessionStore, sessionID }: Request,
): Promise<AdminSession | DeveloperSession | null> {
  const { promise, resolve, reject } = Promise.withResolvers<SessionData | null | undefined>();
  sessionStore.get(sessionID, (error, found) => (error ? reject(error) : resolve(found)));
  const ref = (await promise)?.passport?.user;
  return ref ? ((await findAccount(db, kind, ref, sessionID)) ?? null) : null;
}

/** Gives the browser the session of a user beside the one of the request. */
export function addUserSession(
  res: Response,
  { sealer, isSecure }: SessionServices,
  { secret }: Pick<BegunSession, 'secret'>,
): void {
  const [key = Buffer.alloc(0)] = sealer.keysFor(keysOf('admin'));
  const options = { ...cookieOptions(isSecure), maxAge: SESSION_MS, encode: String };
  res.cookie(cookieName('admin', isSecure), signedId(secret, key), options);
}

/** Returns the purpose of the keys that sign the cookies of a kind. */
function keysOf(kind: SessionKind): string {
  return `cookie of ${kind} sessions`;
}

/** Ends the session in the store, so that no holder of its id can use it. */
export function endSession(req: Request): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  req.session.destroy((error) => (error ? reject(error) : resolve()));
  return promise;
}

/** Converts an account for Passport, whose types have one kind of user: the caller of /v1. */
function asUser(account: AccountRef | AdminSession | DeveloperSession): Express.User {
  return account as unknown as Express.User;
}

/** Finds the account of a session; undefined if the account or its tenant is no longer active. */
function findAccount(
  db: Database,
  kind: SessionKind,
  ref: AccountRef,
  secret: string,
): Promise<AdminSession | DeveloperSession | undefined> {
  const csrfToken = csrfTokenOf(secret);
  return kind === 'admin' ? findAdmin(db, ref, csrfToken) : findDeveloper(db, ref, csrfToken);
}

/** Finds an active user of an active tenant. */
async function findAdmin(
  db: Database,
  { accountId: userId, tenantId, sessionId }: AccountRef,
  csrfToken: string,
): Promise<AdminSession | undefined> {
  if (tenantId === null) return undefined;
  const [user, tenant] = await Promise.all([
    db.models.user.findOne({ where: { tenant_id: tenantId, id: userId, status: 'active' }, raw: true }),
    db.models.tenant.findOne({ where: { id: tenantId, status: 'active' }, raw: true }),
  ]);
  if (!user || !tenant) return undefined;
  const { email, role } = user;
  const sandbox = tenant.sandbox === 1;
  return { kind: 'admin', userId, tenantId, tenantName: tenant.name, sandbox, email, role, sessionId, csrfToken };
}

async function findDeveloper(
  db: Database,
  { accountId: developerId, sessionId }: AccountRef,
  csrfToken: string,
): Promise<DeveloperSession | undefined> {
  const row = await db.models.developer.findByPk(developerId, { raw: true });
  const tenant = row && (await db.models.tenant.findByPk(row.tenant_id, { raw: true }));
  if (!tenant) return undefined;
  const { id: tenantId, name: tenantName } = tenant;
  const account = { tenantId, tenantName, email: row.email, sandbox: true } as const;
  return { kind: 'developer', developerId, ...account, sessionId, csrfToken };
}
