import type { Transaction } from 'sequelize';
import { type Actor, openChange } from '../change.ts';
import type { MailLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { DEVELOPER_EMAIL } from '../db/tables/developers.ts';
import type { SignInLinkRow } from '../db/tables/sign-in-links.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { emailHash, formerEmailHash } from '../kernel/mail-address.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { AccountRef } from './session-store.ts';
import {
  type Asker,
  findLink,
  isCodeOf,
  isTokenOf,
  keepProof,
  linkGone,
  makeLink,
  type Proof,
  spendLink,
  takeTry,
} from './sign-in-links.ts';

/** The stored address of the developer with an address; undefined when there is none. */
export type FindDeveloper = (
  transaction: Transaction,
  email: string,
) => Promise<{ readonly email: string } | undefined>;

/** Finds the developer with an address, or makes the account and its sandbox: the first time. */
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

/** The request by which somebody signs in. */
export interface SigningIn extends Asker {
  readonly now: number;
  readonly request: Pick<Actor, 'requestId' | 'ip'>;
}

/** A user of a tenant, as whom somebody may go on. */
export interface Account {
  readonly userId: string;
  /** As it is stored. */
  readonly email: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly role: string;
}

/** What a proof leads to. */
export type Outcome =
  | { readonly result: 'signed_in'; readonly account: AccountRef; readonly returnTo: string }
  /** Users of several tenants choose; the browser gets this new secret for it. */
  | { readonly result: 'choose'; readonly browser: string }
  | { readonly result: 'wrong_code'; readonly triesLeft: number; readonly email: string };

export interface AskedToSignIn extends Asker {
  /** As it was typed. */
  readonly email: string;
  readonly returnTo: string;
  readonly now: number;
  readonly page: string;
  /** IPv4 address or IPv6 /64 of the caller. */
  readonly network: string;
}

/**
 * Mails a link to the stored address of the account, never to the typed one: the two may differ in characters that are
 * compared as equal. Unknown addresses get no mail, and the caller gets the same answer.
 * @throws {@link ApiError} MAIL_LIMIT_REACHED
 */
export function askToSignIn(services: SignInServices, asked: AskedToSignIn): Promise<void> {
  const { db, sealer, mailLimits } = services;
  return unitOfWork(db, async (transaction) => {
    const sendTo = await storedAddress(services, transaction, asked);
    await makeLink(db, transaction, { ...asked, sealer, mailLimits, sendTo });
  });
}

/** A developer signs up by signing in, so an address without an account is stored as it was typed. */
async function storedAddress(
  { db, findDeveloper }: SignInServices,
  transaction: Transaction,
  { kind, email }: AskedToSignIn,
): Promise<string | null> {
  const accounts = await findAccounts(db, transaction, email);
  const developer = await findDeveloper(transaction, email);
  if (kind === 'developer') return developer?.email ?? email;
  // Of several spellings the one of the oldest user: users that are added later cannot redirect the mail.
  const [oldest] = accounts.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  return oldest?.email ?? null;
}

/**
 * Signs in whoever read the mail, in the browser that asked. Of several that come at once with one proof, all but the
 * first find it used. A wrong code takes a try.
 * @throws {@link ApiError} NOT_FOUND
 */
export async function proveAddress(services: SignInServices, asker: SigningIn, proof: Proof): Promise<Outcome> {
  const { db } = services;
  const attempt = (): Promise<Outcome | null> =>
    unitOfWork(db, (transaction) => prove(services, transaction, asker, proof));
  // Two browsers may sign in for the first time with one address: what the one has made, the other finds.
  const outcome = await attempt().catch((error: unknown) => {
    if (!violates(error, DEVELOPER_EMAIL)) throw error;
    return attempt();
  });
  // After the commit: a try that was taken stays taken.
  if (!outcome) throw linkGone();
  return outcome;
}

/**
 * Whom the browser may go on as, once its address is proven.
 * @throws {@link ApiError} NOT_FOUND
 */
export async function readChoices(db: Database, asker: Asker, now: number): Promise<readonly Account[]> {
  const link = await findLink(db, asker, now, null);
  if (link?.token_hash !== null) throw linkGone();
  return findAccounts(db, null, link.email);
}

/**
 * Signs in as one of them.
 * @throws {@link ApiError} NOT_FOUND
 */
export async function chooseAccount(db: Database, asker: SigningIn, userId: string): Promise<Outcome> {
  return unitOfWork(db, async (transaction) => {
    const link = await findLink(db, asker, asker.now, transaction);
    if (link?.token_hash !== null) throw linkGone();
    const accounts = await findAccounts(db, transaction, link.email);
    const account = accounts.find((one) => one.userId === userId);
    if (!account) throw new ApiError('NOT_FOUND', 'You are not an active user of this tenant');
    return goOnAs(db, transaction, asker, link, account);
  });
}

/** null: there is nothing to prove any more, or never was. */
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
    const triesLeft = await takeTry(db, transaction, asker, link);
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
  await spendLink(db, transaction, asker);
  return { result: 'signed_in', account: { accountId: id, tenantId: null }, returnTo: link.return_to };
}

async function signUserIn(
  db: Database,
  transaction: Transaction,
  asker: SigningIn,
  link: SignInLinkRow,
): Promise<Outcome | null> {
  const [account, ...others] = await findAccounts(db, transaction, link.email);
  if (!account) return null;
  if (others.length === 0) return goOnAs(db, transaction, asker, link, account);
  return { result: 'choose', browser: await keepProof(db, transaction, asker, link) };
}

async function goOnAs(
  db: Database,
  transaction: Transaction,
  asker: SigningIn,
  link: SignInLinkRow,
  { userId, tenantId }: Account,
): Promise<Outcome> {
  const { now, request } = asker;
  await spendLink(db, transaction, asker);
  const change = openChange({ db, tenantId, now }, transaction, { type: 'user', id: userId, ...request });
  await change.audit({ action: 'user.signed_in', target: { type: 'user', id: userId }, at: now });
  return { result: 'signed_in', account: { accountId: userId, tenantId }, returnTo: link.return_to };
}

/** The active users of active tenants who have an address. */
async function findAccounts(db: Database, transaction: Transaction | null, email: string): Promise<Account[]> {
  const users = await db.models.user.findAll({
    where: { email_hash: [emailHash(email), formerEmailHash(email)], status: 'active' },
    order: ['id'],
    transaction,
    raw: true,
  });
  const tenants = await db.models.tenant.findAll({
    where: { id: users.map(({ tenant_id }) => tenant_id), status: 'active' },
    order: ['name'],
    transaction,
    raw: true,
  });
  return tenants.flatMap((tenant) =>
    users
      .filter((user) => user.tenant_id === tenant.id)
      .map((user) => ({
        userId: user.id,
        email: user.email,
        tenantId: tenant.id,
        tenantName: tenant.name,
        role: user.role,
      })),
  );
}
