import type { Transaction } from 'sequelize';
import { type Actor, openChange } from '../change.ts';
import type { MailLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { lockTenant } from '../db/row-lock.ts';
import { DEVELOPER_EMAIL } from '../db/tables/developers.ts';
import type { SignInLinkRow } from '../db/tables/sign-in-links.ts';
import type { UserRow } from '../db/tables/users.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { emailHash, formerEmailHash } from '../kernel/mail-address.ts';
import type { Sealer } from '../kernel/seal.ts';
import { addSession, type BegunSession } from './session-store.ts';
import {
  findLink,
  invalidLink,
  isCodeOf,
  isTokenOf,
  keepProof,
  type LinkRequester,
  makeLink,
  type Proof,
  useLink,
  useUpTry,
} from './sign-in-links.ts';

/** Returns the stored address of the developer with this address; undefined if there is none. */
export type FindDeveloper = (
  transaction: Transaction,
  email: string,
) => Promise<{ readonly email: string } | undefined>;

/** Finds the developer with an address. At the first sign-in, creates the account and its sandbox. */
export type EnsureDeveloper = (
  transaction: Transaction,
  developer: { readonly email: string; readonly actor: Actor; readonly now: number },
) => Promise<{ readonly id: string }>;

export interface SignInServices {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly mailLimits: MailLimits;
  readonly findDeveloper: FindDeveloper;
  readonly ensureDeveloper: EnsureDeveloper;
}

/** The request of a sign-in. */
export interface SigningIn extends LinkRequester {
  readonly now: number;
  readonly request: Pick<Actor, 'requestId' | 'ip'>;
}

/** An active user of a tenant as whom the browser may sign in. */
export interface Account {
  readonly userId: string;
  /** The stored address. */
  readonly email: string;
  readonly tenantId: string;
  readonly tenantName: string;
  /** True if the tenant is the sandbox of a developer, who may give it any name. */
  readonly sandbox: boolean;
  readonly role: string;
}

/** Outcome of a proof. */
export type Outcome =
  | { readonly result: 'signed_in'; readonly account: BegunSession; readonly returnTo: string }
  /** A user of several tenants chooses one. The browser gets this new secret for the choice. */
  | { readonly result: 'choose'; readonly browser: string }
  | { readonly result: 'wrong_code'; readonly triesLeft: number; readonly email: string };

export interface SignInRequest extends LinkRequester {
  /** The address as typed. */
  readonly email: string;
  readonly returnTo: string;
  readonly now: number;
  readonly page: string;
  /** IPv4 address or IPv6 /64 of the caller. */
  readonly network: string;
}

/**
 * Mails a link to the stored address of the account, never to the typed one: the two may differ in characters that
 * compare as equal. An unknown address gets no mail, and the caller gets the same response.
 * @throws {@link ApiError} MAIL_LIMIT_REACHED
 */
export function requestSignIn(services: SignInServices, asked: SignInRequest): Promise<void> {
  const { db, sealer, mailLimits } = services;
  return unitOfWork(db, async (transaction) => {
    const sendTo = await storedAddress(services, transaction, asked);
    await makeLink(db, transaction, { ...asked, sealer, mailLimits, sendTo });
  });
}

/**
 * Returns the address for the mail. Developers sign up by signing in, so an address without an account is used as
 * typed.
 */
async function storedAddress(
  { db, findDeveloper }: SignInServices,
  transaction: Transaction,
  { kind, email }: SignInRequest,
): Promise<string | null> {
  const accounts = await findAccounts(db, transaction, email);
  const developer = await findDeveloper(transaction, email);
  if (kind === 'developer') return developer?.email ?? email;
  // Of several spellings, uses that of the oldest user: users that are added later cannot redirect the mail.
  const [oldest] = accounts.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  return oldest?.email ?? null;
}

/**
 * Signs in the user who read the mail, in the browser that requested it. Of concurrent requests with one proof, all but
 * the first find it used. A wrong code uses up a try.
 * @throws {@link ApiError} NOT_FOUND
 */
export async function proveAddress(services: SignInServices, asker: SigningIn, proof: Proof): Promise<Outcome> {
  const { db } = services;
  const attempt = (): Promise<Outcome | null> =>
    unitOfWork(db, (transaction) => prove(services, transaction, asker, proof));
  // Two browsers may sign in for the first time with one address. On a conflict, the second run finds the account of
  // the first.
  const outcome = await attempt().catch((error: unknown) => {
    if (!violates(error, DEVELOPER_EMAIL)) throw error;
    return attempt();
  });
  // Thrown after the commit, so that the used-up try is stored.
  if (!outcome) throw invalidLink();
  return outcome;
}

/**
 * Returns the accounts that the browser may choose from, after its address is proven.
 * @throws {@link ApiError} NOT_FOUND
 */
export async function readChoices(db: Database, asker: LinkRequester, now: number): Promise<readonly Account[]> {
  const link = await findLink(db, asker, now, null);
  if (link?.token_hash !== null) throw invalidLink();
  return findAccounts(db, null, link.email);
}

/**
 * Signs in as one of these accounts.
 * @throws {@link ApiError} NOT_FOUND
 */
export async function chooseAccount(db: Database, asker: SigningIn, userId: string): Promise<Outcome> {
  return unitOfWork(db, async (transaction) => {
    const link = await findLink(db, asker, asker.now, transaction);
    if (link?.token_hash !== null) throw invalidLink();
    const accounts = await findAccounts(db, transaction, link.email);
    const account = accounts.find((one) => one.userId === userId);
    if (!account) throw new ApiError('NOT_FOUND', NOT_ACTIVE);
    return signInAs(db, transaction, asker, link, account);
  });
}

/** Resolves to null if there is no usable link. */
async function prove(
  services: SignInServices,
  transaction: Transaction,
  asker: SigningIn,
  proof: Proof,
): Promise<Outcome | null> {
  const { db } = services;
  const link = await findLink(db, asker, asker.now, transaction);
  if (!link || ('token' in proof && !isTokenOf(link, proof.token))) return null;
  if ('code' in proof && !isCodeOf(link, proof.code, asker.browser)) {
    const triesLeft = await useUpTry(db, transaction, asker, link);
    return triesLeft > 0 ? { result: 'wrong_code', triesLeft, email: link.email } : null;
  }
  return asker.kind === 'developer'
    ? signDeveloperIn(services, transaction, asker, link)
    : signUserIn(db, transaction, asker, link);
}

async function signDeveloperIn(
  { db, ensureDeveloper }: SignInServices,
  transaction: Transaction,
  asker: SigningIn,
  link: SignInLinkRow,
): Promise<Outcome> {
  const { now, request } = asker;
  const actor: Actor = { type: 'system', id: null, ...request };
  const { id } = await ensureDeveloper(transaction, { email: link.email, actor, now });
  await useLink(db, transaction, asker);
  const account = await addSession(db, transaction, 'developer', { accountId: id, tenantId: null }, now);
  return { result: 'signed_in', account, returnTo: link.return_to };
}

async function signUserIn(
  db: Database,
  transaction: Transaction,
  asker: SigningIn,
  link: SignInLinkRow,
): Promise<Outcome | null> {
  const [account, ...others] = await findAccounts(db, transaction, link.email);
  if (!account) return null;
  if (others.length === 0) return signInAs(db, transaction, asker, link, account);
  return { result: 'choose', browser: await keepProof(db, transaction, asker, link) };
}

async function signInAs(
  db: Database,
  transaction: Transaction,
  asker: SigningIn,
  link: SignInLinkRow,
  chosen: Account,
): Promise<Outcome> {
  await useLink(db, transaction, asker);
  const account = await recordSignIn(db, transaction, chosen, asker);
  return { result: 'signed_in', account, returnTo: link.return_to };
}

/**
 * Begins the session of a user, and records the sign-in in the audit trail. The lock of the tenant's row orders it against
 * a suspension and against the end of all sessions, which find the new session or keep it from beginning.
 * @throws {@link ApiError} NOT_FOUND if the user or the tenant is no longer active
 */
export async function recordSignIn(
  db: Database,
  transaction: Transaction,
  { userId, tenantId }: Pick<Account, 'userId' | 'tenantId'>,
  { now, request }: Pick<SigningIn, 'now' | 'request'>,
): Promise<BegunSession> {
  await lockTenant(db, tenantId, transaction);
  const { tenant, user } = db.models;
  const isActive =
    (await tenant.count({ where: { id: tenantId, status: 'active' }, transaction })) > 0 &&
    (await user.count({ where: { tenant_id: tenantId, id: userId, status: 'active' }, transaction })) > 0;
  if (!isActive) throw new ApiError('NOT_FOUND', NOT_ACTIVE);
  const account = await addSession(db, transaction, 'admin', { accountId: userId, tenantId }, now);
  const actor: Actor = { type: 'user', id: userId, sessionId: account.sessionId, ...request };
  const change = openChange({ db, tenantId, now }, transaction, actor);
  await change.audit({ action: 'user.signed_in', target: { type: 'user', id: userId }, at: now });
  return account;
}

const NOT_ACTIVE = 'You are not an active user of this tenant';

/** Returns the active users of active tenants that have an address. */
async function findAccounts(db: Database, transaction: Transaction | null, email: string): Promise<Account[]> {
  const users = await db.models.user.findAll({
    where: { email_hash: [emailHash(email), formerEmailHash(email)], status: 'active' },
    order: ['id'],
    transaction,
    raw: true,
  });
  return accountsOf(db, transaction, users);
}

/** Returns the accounts of those users whose tenant is active, by the name of the tenant. */
export async function accountsOf(
  db: Database,
  transaction: Transaction | null,
  users: readonly UserRow[],
): Promise<Account[]> {
  const where = { id: users.map(({ tenant_id }) => tenant_id), status: 'active' } as const;
  const tenants = await db.models.tenant.findAll({ where, order: ['id'], transaction, raw: true });
  const accounts = tenants.flatMap(({ id: tenantId, name: tenantName, sandbox }) =>
    users
      .filter(({ tenant_id }) => tenant_id === tenantId)
      .map(({ id: userId, email, role }) => ({ userId, email, tenantId, tenantName, sandbox: sandbox === 1, role })),
  );
  return accounts.sort((a, b) => a.tenantName.localeCompare(b.tenantName));
}
