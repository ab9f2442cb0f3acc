import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { OperatorError } from './operator-error.ts';
import { randomBytes } from './random.ts';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/** Number of bytes at the start of sealed bytes that identify the key. */
export const MARK_BYTES = 1 + KEY_ID_BYTES;

/** Encrypts texts that must be readable again, such as webhook signing secrets. */
export interface Sealer {
  /** @param purpose bound to the sealed bytes; only the same purpose opens them */
  seal(text: string, purpose: string): Buffer;
  /**
   * Decrypts sealed bytes.
   * @throws {@link MasterKeyError} if the bytes were sealed with a master key that is not configured
   * @throws Error if they were sealed for another purpose, or were changed
   */
  open(sealed: Buffer, purpose: string): string;
  /**
   * Derives a key of 32 bytes from each master key and a purpose, the current one first. For signing, never for
   * sealing.
   */
  keysFor(purpose: string): readonly Buffer[];
  /** First bytes of sealed bytes for each master key, in hex; the current one first. */
  readonly marks: readonly string[];
}

/** Thrown for bytes that were sealed with a master key that is not configured. */
export class MasterKeyError extends OperatorError {
  override readonly name = 'MasterKeyError';
}

/**
 * Creates a sealer with AES-256-GCM and the operator's master keys. The first key seals. Every key opens the bytes that
 * it sealed, so that a master key can be replaced while old bytes remain.
 */
export function createSealer(masterKeys: readonly Buffer[]): Sealer {
  const keys = masterKeys.map((key) => ({ key, id: keyId(key) }));
  const [current] = keys;
  if (!current) throw new Error('a sealer needs at least one master key');

  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES, 'nonce');
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), current.id, nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, purpose) {
      const id = sealed.subarray(1, 1 + KEY_ID_BYTES);
      const found = keys.find((entry) => entry.id.equals(id));
      if (sealed[0] !== VERSION || sealed.length < HEADER_BYTES || !found) {
        throw new MasterKeyError(
          `the ${purpose} is sealed under a master key that is not configured: see plat-server secrets status`,
        );
      }
      const nonce = sealed.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', found.key, nonce)
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES));
      return decipher.update(sealed.subarray(HEADER_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    keysFor: (purpose) => keys.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', `plat ${purpose}`, 32))),
    marks: keys.map(({ id }) => markOf(Buffer.concat([Buffer.of(VERSION), id]))),
  };
}

/**
 * Returns the mark of the master key that sealed the bytes. It is one of {@link Sealer.marks} if that key is
 * configured.
 */
export function markOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(0, MARK_BYTES)).toString('hex');
}

function keyId(key: Buffer): Buffer {
  return createHash('sha256').update('plat master key id').update(key).digest().subarray(0, KEY_ID_BYTES);
}
