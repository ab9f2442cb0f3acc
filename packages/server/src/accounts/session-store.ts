import { callbackify } from 'node:util';
import { type SessionData, Store } from 'express-session';
import { Op, type Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { type Clock, DAY_MS } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken } from '../kernel/tokens.ts';
import { newSecret, type SessionKind } from './session-cookie.ts';

declare module 'express-session' {
  interface SessionData {
    passport?: { user?: AccountRef };
    /** Time of creation, in ms. */
    createdAt: number;
    /** Time of expiry, in ms. */
    expiresAt: number;
  }
}

/** The account of a session. */
export interface AccountRef {
  readonly accountId: string;
  /** The user's tenant; null for a developer. */
  readonly tenantId: string | null;
  /** Public id of the session; null for a session from before there were such ids. */
  readonly sessionId: string | null;
}

/** A session that has begun, with the secret that only its browser gets. */
export interface BegunSession extends AccountRef {
  readonly secret: string;
}

/** Runs the look-up of a session, which is the first work of each page, when it is admitted. */
type AdmitRead = <T>(id: string, read: () => Promise<T>) => Promise<T>;

const IDLE_MS = 12 * 60 * 60_000;
/** Maximum lifetime of a session, independent of its use, in ms. */
export const SESSION_MS = 7 * DAY_MS;
/** Interval at which the use of a session is stored, in ms. */
const STORE_USE_EVERY_MS = 60_000;

/**
 * Stores the sessions of one kind of account by the SHA-256 of their ids, so that a dump of the table gives no access.
 * Only sessions with an account are stored, so that visitors leave no rows.
 */
export class SessionStore extends Store {
  readonly #db: Database;
  readonly #kind: SessionKind;
  readonly #clock: Clock;

  readonly #admit: AdmitRead;

  constructor(db: Database, kind: SessionKind, clock: Clock, admit: AdmitRead) {
    super();
    this.#admit = admit;
    this.#db = db;
    this.#kind = kind;
    this.#clock = clock;
  }

  override get(id: string, callback: Callback<SessionData | null>): void {
    settle(
      this.#admit(id, () => readSession(this.#db, this.#kind, id, this.#clock())),
      callback,
    );
  }

  /** A session with an account has its row since the sign-in. It is not written again, because it may have ended since. */
  override set(id: string, { passport }: SessionData, callback?: Callback): void {
    settle(passport?.user ? Promise.resolve() : removeSession(this.#db, id), callback);
  }

  override touch(id: string, session: SessionData, callback?: Callback): void {
    settle(prolong(this.#db, id, session, this.#clock()), callback);
  }

  override destroy(id: string, callback?: Callback): void {
    settle(removeSession(this.#db, id), callback);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the type of express-session
type Callback<Result = void> = (error?: any, result?: Result) => void;

/**
 * Passes the result of a promise to a callback. An error that the callback throws does not count as a failure of the
 * work.
 */
function settle<Result>(work: Promise<Result>, callback: Callback<Result> = () => undefined): void {
  callbackify(() => work)(callback);
}

/** Begins a session in the transaction of its sign-in. */
export async function addSession(
  db: Database,
  transaction: Transaction,
  kind: SessionKind,
  { accountId, tenantId }: Omit<AccountRef, 'sessionId'>,
  now: number,
): Promise<BegunSession> {
  const secret = newSecret();
  const sessionId = newId('session', now);
  const row = {
    session_hash: hashToken(secret),
    kind,
    account_id: accountId,
    tenant_id: tenantId,
    id: sessionId,
    created_at: now,
    expires_at: now + IDLE_MS,
  };
  await db.models.session.create(row, { transaction });
  return { accountId, tenantId, sessionId, secret };
}

async function readSession(db: Database, kind: SessionKind, id: string, now: number): Promise<SessionData | null> {
  const where = { session_hash: hashToken(id), kind, expires_at: { [Op.gt]: now } };
  const row = await db.models.session.findOne({ where, raw: true });
  if (!row) return null;
  return {
    cookie: { originalMaxAge: null },
    passport: { user: { accountId: row.account_id, tenantId: row.tenant_id, sessionId: row.id } },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

async function removeSession(db: Database, id: string): Promise<void> {
  const where = { session_hash: hashToken(id) };
  await unitOfWork(db, (transaction) => db.models.session.destroy({ where, transaction }));
}

async function prolong(
  db: Database,
  id: string,
  { createdAt, expiresAt: before }: SessionData,
  now: number,
): Promise<void> {
  const expiresAt = Math.min(now + IDLE_MS, createdAt + SESSION_MS);
  if (expiresAt - before < STORE_USE_EVERY_MS) return;
  const where = { session_hash: hashToken(id), expires_at: { [Op.lt]: expiresAt } };
  await unitOfWork(db, (transaction) => db.models.session.update({ expires_at: expiresAt }, { where, transaction }));
}
