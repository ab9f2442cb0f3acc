import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { LIMITS } from '@plat/contract';
import { hasAsciiLookalike } from '@plat/contract/schemas';

/** Whether a text is one mail address and nothing that a header could take for more: no name, list, quote or control. */
export function isMailAddress(text: string): boolean {
  return text.length <= LIMITS.email.max && /^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>(),;"\\@]+$/u.test(text);
}

/** SHA-256 of {@link canonicalAddress}: users, developers and mail counters are found by it. */
export function emailHash(email: string): Buffer {
  return createHash('sha256').update(canonicalAddress(email)).digest();
}

/**
 * The form in which addresses are compared. The domain is in ASCII (IDNA), lower case, without a trailing dot. The local
 * part is in lower case (NFC); a local part with a character that Unicode folds into an ASCII one, such as U+212A, keeps
 * its characters, since it names another mailbox.
 */
export function canonicalAddress(email: string): string {
  const { local, domain } = partsOf(email);
  const folded = hasAsciiLookalike(local) ? asciiLowerCase(local) : local.normalize('NFC').toLowerCase();
  return `${folded}@${canonicalDomain(domain)}`;
}

/** The address that mail is sent to: as it is stored, but with the domain in ASCII. */
export function sendableAddress(email: string): string {
  const { local, domain } = partsOf(email);
  return isAscii(domain) ? email : `${local}@${canonicalDomain(domain)}`;
}

/**
 * The hash before migration 0021: the domain was not canonical. Two users of a tenant whose addresses turned out to be
 * the same keep both rows, and the later one keeps this hash.
 */
export function formerEmailHash(email: string): Buffer {
  return createHash('sha256').update(email.normalize('NFC').toLowerCase()).digest();
}

function partsOf(email: string): { readonly local: string; readonly domain: string } {
  const at = email.lastIndexOf('@');
  return { local: email.slice(0, at), domain: email.slice(at + 1) };
}

/** A domain that IDNA refuses, which can only have been stored by an old release, is compared as it is. */
function canonicalDomain(domain: string): string {
  return (domainToASCII(domain) || domain).toLowerCase().replace(/\.$/, '');
}

function isAscii(text: string): boolean {
  return [...text].every((char) => char <= '\x7f');
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
