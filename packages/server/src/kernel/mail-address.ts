import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { LIMITS } from '@plat/contract';
import { hasAsciiLookalike } from '@plat/contract/schemas';

/** Returns true if a text is exactly one mail address, without a display name, list, quotes or control characters. */
export function isMailAddress(text: string): boolean {
  return text.length <= LIMITS.email.max && /^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>(),;"\\@]+$/u.test(text);
}

/** Returns the SHA-256 of {@link canonicalAddress}, by which users, developers and mail counters are found. */
export function emailHash(email: string): Buffer {
  return createHash('sha256').update(canonicalAddress(email)).digest();
}

/**
 * Returns the form in which addresses are compared. The domain is in ASCII (IDNA), lower case, without a trailing dot.
 * The local part is in lower case (NFC). A local part with a character that Unicode folds into an ASCII one, such as
 * U+212A, keeps its characters, since it names another mailbox.
 */
export function canonicalAddress(email: string): string {
  const { local, domain } = partsOf(email);
  const folded = hasAsciiLookalike(local) ? asciiLowerCase(local) : local.normalize('NFC').toLowerCase();
  return `${folded}@${canonicalDomain(domain)}`;
}

/** Returns the address for sending: the stored one with its domain in ASCII. */
export function sendableAddress(email: string): string {
  const { local, domain } = partsOf(email);
  return isAscii(domain) ? email : `${local}@${canonicalDomain(domain)}`;
}

/**
 * Returns the hash from before migration 0021, when the domain was not canonical. Two users of a tenant whose addresses
 * became equal both keep their rows, and the later one keeps this hash.
 */
export function formerEmailHash(email: string): Buffer {
  return createHash('sha256').update(email.normalize('NFC').toLowerCase()).digest();
}

function partsOf(email: string): { readonly local: string; readonly domain: string } {
  const at = email.lastIndexOf('@');
  return { local: email.slice(0, at), domain: email.slice(at + 1) };
}

/** A domain that IDNA refuses is compared unchanged. Only an old release can have stored it. */
function canonicalDomain(domain: string): string {
  return (domainToASCII(domain) || domain).toLowerCase().replace(/\.$/, '');
}

function isAscii(text: string): boolean {
  return [...text].every((char) => char <= '\x7f');
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
