import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { randomBytes } from './random.ts';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/** How many bytes at the beginning of what is sealed say under which key. */
export const MARK_BYTES = 1 + KEY_ID_BYTES;

/** Encrypts what has to be readable again, such as webhook signing secrets. */
export interface Sealer {
  /** @param purpose bound to the sealed bytes; the same one opens them. */
  seal(text: string, purpose: string): Buffer;
  /**
   * @throws {@link MasterKeyError} when the bytes were sealed under a key that is not here
   * @throws Error when they were sealed for another purpose, or were changed
   */
  open(sealed: Buffer, purpose: string): string;
  /** A key of 32 bytes that follows from each master key and a purpose, the current one first: for signing, never for sealing. */
  keysFor(purpose: string): readonly Buffer[];
  /** What sealed bytes begin with under each master key, in hex; the current one first. */
  readonly marks: readonly string[];
}

/** Thrown for what was sealed under a master key that is not configured; its message is one line for the operator. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/**
 * AES-256-GCM under the operator's master keys. The first key seals; every one opens what it sealed, so that
 * a master key can be replaced while its old texts remain.
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

/** Which master key bytes were sealed under: one of {@link Sealer.marks}, or that of a key which is not here. */
export function markOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(0, MARK_BYTES)).toString('hex');
}

function keyId(key: Buffer): Buffer {
  return createHash('sha256').update('plat master key id').update(key).digest().subarray(0, KEY_ID_BYTES);
}
