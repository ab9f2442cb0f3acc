import { timingSafeEqual } from 'node:crypto';
import { Op, type Transaction } from 'sequelize';
import type { MailLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { SIGN_IN_LINKS, type SignInLinkRow } from '../db/tables/sign-in-links.ts';
import { primaryKeyOf } from '../db/tables/table.ts';
import { ApiError } from '../kernel/api-error.ts';
import { newId } from '../kernel/ids.ts';
import type { Sealer } from '../kernel/seal.ts';
import { hashToken, newToken } from '../kernel/tokens.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { utcMinute } from './invitations.ts';
import { newSecret, type SessionKind } from './session-cookie.ts';
import { displayCode, hashCode, newCode } from './sign-in-code.ts';

/** The browser that requested the link, and the kind of account. */
export interface LinkRequester {
  readonly kind: SessionKind;
  /** The secret in its cookie. */
  readonly browser: string;
}

/** Proof that the user read the mail. */
export type Proof = { readonly token: string } | { readonly code: string };

const LINK_MS = 15 * 60_000;
const TRIES = 5;

interface NewLink extends LinkRequester {
  /** The address as typed. */
  readonly email: string;
  /** The stored address that the mail goes to. Null if the address is unknown: no mail is sent. */
  readonly sendTo: string | null;
  readonly returnTo: string;
  readonly now: number;
  readonly sealer: Sealer;
  readonly mailLimits: MailLimits;
  /** IPv4 address or IPv6 /64 of the caller. */
  readonly network: string;
  /** The page that the link opens. */
  readonly page: string;
}

/**
 * Creates a link and its code, replaces earlier ones of this browser, and queues the mail. For an unknown address the
 * same statements run in the same order, and no mail is left, so that the response time reveals nothing.
 * @throws {@link ApiError} MAIL_LIMIT_REACHED, for known and unknown addresses alike
 */
export async function makeLink(db: Database, transaction: Transaction, link: NewLink): Promise<void> {
  const { kind, browser, email, returnTo, now, sealer, mailLimits: limits, network } = link;
  const to = link.sendTo ?? email;
  const token = newToken('plat_sl_');
  const code = newCode();
  const expiresAt = now + LINK_MS;
  await storeLink(db, transaction, {
    kind,
    browser_hash: hashToken(browser),
    email,
    token_hash: hashToken(token),
    code_hash: hashCode(code, browser),
    tries_left: TRIES,
    return_to: returnTo,
    created_at: now,
    expires_at: expiresAt,
  });
  const text = textOf({ url: `${link.page}?token=${token}`, code, email: to, expiresAt });
  const subject = kind === 'developer' ? 'Sign in to the Plat console' : 'Sign in to Plat';
  const mail = { to, subject, text, kind: 'sign_in', expiresAt, sealer, limits, tenantId: null, network, now };
  const mailId = await queueMail(db, transaction, mail);
  const unwanted = link.sendTo === null ? mailId : newId('mail', now);
  await db.models.mail.destroy({ where: { id: unwanted }, transaction });
}

/** Returns the usable link of this browser. Locks its row inside a transaction. */
export async function findLink(
  db: Database,
  { kind, browser }: LinkRequester,
  now: number,
  transaction: Transaction | null,
): Promise<SignInLinkRow | null> {
  const where = { kind, browser_hash: hashToken(browser), expires_at: { [Op.gt]: now } };
  const lock = transaction !== null;
  const row: SignInLinkRow | null = await db.models.signInLink.findOne({ where, transaction, lock, raw: true });
  return row && row.tries_left > 0 ? row : null;
}

/** Returns true if the token is that of the browser's latest link. */
export function isTokenOf({ token_hash }: SignInLinkRow, token: string): boolean {
  return token_hash !== null && timingSafeEqual(token_hash, hashToken(token));
}

/** Returns true if the code is the one that was mailed. */
export function isCodeOf({ code_hash }: SignInLinkRow, code: string, browser: string): boolean {
  return code_hash !== null && timingSafeEqual(code_hash, hashCode(code, browser));
}

/** Uses up one try. Without tries, neither link nor code is valid. Resolves to the number of tries left. */
export async function useUpTry(
  db: Database,
  transaction: Transaction,
  { kind, browser }: LinkRequester,
  { tries_left }: SignInLinkRow,
): Promise<number> {
  const left = tries_left - 1;
  const where = { kind, browser_hash: hashToken(browser) };
  await db.models.signInLink.update({ tries_left: left }, { where, transaction });
  return left;
}

/** Marks link and code as used. The caller holds the lock of the row. */
export async function useLink(db: Database, transaction: Transaction, { kind, browser }: LinkRequester): Promise<void> {
  await db.models.signInLink.destroy({ where: { kind, browser_hash: hashToken(browser) }, transaction });
}

/**
 * Stores the proof for the same browser under a new secret, and returns that secret. A party that had the former secret
 * cannot use the proof.
 */
export async function keepProof(
  db: Database,
  transaction: Transaction,
  asker: LinkRequester,
  link: SignInLinkRow,
): Promise<string> {
  const browser = newSecret();
  await useLink(db, transaction, asker);
  const proven = { browser_hash: hashToken(browser), token_hash: null, code_hash: null };
  await storeLink(db, transaction, { ...link, ...proven });
  return browser;
}

/** Returns the same refusal for every invalid link or code. */
export function invalidLink(): ApiError {
  return new ApiError('NOT_FOUND', 'The link or code was used, was replaced by a later one, or has expired');
}

async function storeLink(db: Database, transaction: Transaction, row: SignInLinkRow): Promise<void> {
  try {
    await db.models.signInLink.create(row, { transaction });
  } catch (error) {
    if (!violates(error, primaryKeyOf(SIGN_IN_LINKS))) throw error;
    const where = { kind: row.kind, browser_hash: row.browser_hash };
    await db.models.signInLink.update(row, { where, transaction });
  }
}

interface MailWords {
  readonly url: string;
  readonly code: string;
  readonly email: string;
  readonly expiresAt: number;
}

function textOf({ url, code, email, expiresAt }: MailWords): string {
  return `We received a request to sign in as ${email}.

Open this link in the browser where you requested it:

${url}

If it opens in another browser, enter this code in the first one:

${displayCode(code)}

Link and code work once, until ${utcMinute(expiresAt)}.
If you didn't request this, ignore this email. Never share the code.
`;
}
