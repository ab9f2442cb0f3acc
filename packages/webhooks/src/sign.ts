import type { KeyObject } from 'node:crypto';
import { WebhookConfigurationError } from './errors.ts';

/** Not imported: bundlers for browsers refuse the name of the module, and `@plat/testing/mock` loads this file to sign. */
const nodeCrypto = process.getBuiltinModule('node:crypto');

/** Input of {@link signDelivery}: body, secrets and time. */
export interface SignDeliveryInput {
  /** The body exactly as it will be sent. A string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  /** Secrets; each creates one signature. Use two while a secret is being rotated. */
  readonly secrets: readonly (string | KeyObject)[];
  /** Time of the signature in whole Unix seconds. */
  readonly timestamp: number;
}

/**
 * Returns the value of the `X-Platform-Signature` header of a delivery: `t=<unix-seconds>,v1=<hex>[,v1=<hex>]`
 * (specification, Signature). The HMAC key is the whole secret string as UTF-8, including its prefix.
 *
 * @example
 * const signature = signDelivery({ body, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) });
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TIMESTAMP_NOT_SECONDS`, `BODY_INVALID`
 */
export function signDelivery({ body, secrets, timestamp }: SignDeliveryInput): string {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new WebhookConfigurationError('SECRETS_MISSING', 'At least one signing secret is needed.');
  }
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new WebhookConfigurationError('TIMESTAMP_NOT_SECONDS', 'timestamp must be a whole number of Unix seconds.');
  }
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new WebhookConfigurationError('BODY_INVALID', 'body must be a string or a Uint8Array.');
  }
  let header = `t=${timestamp}`;
  for (const secret of secrets) header += `,v1=${hmacHex(signingKey(secret), `${timestamp}`, body)}`;
  return header;
}

/** Cache of keys by secret, so that a server that signs for the same endpoints again does not create them again. */
const keys = new Map<string, KeyObject>();
const MAX_KEYS = 2048;

/**
 * Returns the HMAC key of a signing secret: its whole string as UTF-8. The last 2,048 keys of strings are cached. A
 * KeyObject is returned unchanged.
 * @throws {WebhookConfigurationError} `SECRET_INVALID` if it is empty, blank, or not a symmetric key
 */
export function signingKey(secret: string | KeyObject): KeyObject {
  if (typeof secret !== 'string') return checkedKey(secret);
  const known = keys.get(secret);
  if (known) return known;
  if (secret.trim() === '')
    throw new WebhookConfigurationError('SECRET_INVALID', 'A signing secret is empty or blank.');
  const key = nodeCrypto.createSecretKey(secret, 'utf8');
  const [oldest] = keys.size < MAX_KEYS ? [] : keys.keys();
  if (oldest !== undefined) keys.delete(oldest);
  keys.set(secret, key);
  return key;
}

/** Returns the HMAC-SHA256 of `<t>.<body>` in lower-case hex. */
export function hmacHex(key: KeyObject, t: string, body: string | Uint8Array): string {
  return nodeCrypto.createHmac('sha256', key).update(`${t}.`).update(body).digest('hex');
}

function checkedKey(key: unknown): KeyObject {
  if (key instanceof nodeCrypto.KeyObject && key.type === 'secret' && (key.symmetricKeySize ?? 0) > 0) return key;
  throw new WebhookConfigurationError('SECRET_INVALID', 'A signing secret must be a string or a secret KeyObject.');
}
