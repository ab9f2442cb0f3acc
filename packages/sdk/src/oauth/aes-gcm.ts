import { InvalidArgumentError } from '../errors/usage-errors.ts';
import type { GrantEncryption } from './grant-store.ts';

const IV_BYTES = 12;

/**
 * Creates an encryption of grants with AES-256-GCM. Each encrypted grant is bound to its key in the store. To rotate
 * keys, pass several: the first one encrypts, all of them decrypt, and a grant is encrypted again at its next refresh.
 * @param keys - 32 random bytes in base64 (`openssl rand -base64 32`), or several of them
 * @throws {@link InvalidArgumentError} for any other key
 */
export function aesGcm(keys: string | readonly string[]): GrantEncryption {
  const texts = Array.isArray(keys) ? keys : [keys];
  for (const text of texts) {
    if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) throw new InvalidArgumentError('keys', 'must be 32 bytes each, in base64');
  }
  const imported = texts.map(importKey);
  const [current] = imported;
  if (!current) throw new InvalidArgumentError('keys', 'must hold at least one key');
  return {
    async encrypt(text, key) {
      const iv = globalThis.crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const data = new TextEncoder().encode(text);
      const sealed = new Uint8Array(await globalThis.crypto.subtle.encrypt(parameters(iv, key), await current, data));
      return btoa(String.fromCharCode(...iv, ...sealed));
    },
    async decrypt(text, key) {
      const bytes = storedBytes(text);
      const iv = bytes.slice(0, IV_BYTES);
      for (const candidate of imported) {
        const opened = await globalThis.crypto.subtle
          .decrypt(parameters(iv, key), await candidate, bytes.slice(IV_BYTES))
          .catch(() => null);
        if (opened) return new TextDecoder().decode(opened);
      }
      throw new Error('none of the encryption keys decrypts it');
    },
  };
}

// The return type is inferred, because the type name differs by runtime.
function importKey(key: string) {
  return globalThis.crypto.subtle.importKey('raw', toBytes(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function parameters(iv: Uint8Array<ArrayBuffer>, key: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(key) };
}

function storedBytes(text: string): Uint8Array<ArrayBuffer> {
  try {
    return toBytes(text);
  } catch {
    throw new Error('the stored text is not encrypted by aesGcm: was it stored without `encryption`?');
  }
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
