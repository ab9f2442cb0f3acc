import type { OptionNames } from '@plat/contract';
import { candidatesOf, noSecret, otherTenants, tenantMismatch } from './binding.ts';
import { type Bytes, concat, utf8 } from './bytes.ts';
import {
  readDelivery,
  readEvent,
  readEventOfTenant,
  type UnprovenDelivery,
  type VerifiedDelivery,
} from './delivery.ts';
import { WebhookConfigurationError } from './errors.ts';
import type { WebhookEvent } from './event.ts';
import type { Signed } from './headers.ts';
import { attempts, type Mismatch, mismatchError } from './mismatch.ts';
import { checkOptions } from './options.ts';
import { readTimeOptions, type TimeOptions } from './policy.ts';
import type { RawBody } from './raw-body.ts';
import { resolveSecrets, type SecretResolver, type VerifyContext } from './resolver.ts';
import { type Candidate, matchedSecret, readSecrets, type Secrets } from './secrets.ts';
import { readUnverifiedTenantId } from './tenant-id.ts';

/** Options of a {@link WebVerifier}. */
export interface WebVerifierOptions extends TimeOptions {
  /**
   * Signing secret of the endpoint, or several while one is being rotated. A delivery is accepted under any of them.
   * The key is the whole string, including `whsec_`.
   *
   * A receiver for several tenants must bind each secret to its tenant. Otherwise tenant A can sign an event that names
   * tenant B. Use a {@link SecretResolver}, which receives the tenant that the unverified body names, or entries `{
   * secret, tenantId }`.
   */
  readonly secrets: Secrets | SecretResolver;
}

/** Verifies deliveries with WebCrypto: same results and codes as the Node entry, as promises. */
export interface WebVerifier {
  /**
   * Returns the event of a delivery that is authentic and in time.
   * @param rawBody the body as received, before any parser
   * @param signed the request's headers, or the value of `X-Platform-Signature` alone. With the headers,
   *   `X-Platform-Event` and `X-Platform-Event-Id` are also compared with the signed body.
   * @throws {WebhookVerificationError} with the `code` of the reason and a `hint` at its cause
   * @throws {WebhookResolverError} `RESOLVER_FAILED` when a resolver throws or rejects
   */
  verify(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<WebhookEvent>;
  /** Same as {@link verify}, but also returns the time of the signature and the secret that verified it. */
  verifyDelivery(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<VerifiedDelivery>;
  /**
   * Verifies header, timestamp and signature without reading the event. With secrets that are bound to a tenant, the
   * event is read.
   * @returns time of the signature in Unix seconds
   * @throws {WebhookVerificationError} with the `code` of the reason and a `hint` at its cause
   */
  verifySignature(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<number>;
}

/**
 * Creates a verifier that requires only WebCrypto: for edge runtimes, Deno, Bun, workers. Create it once.
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function createVerifier(options: WebVerifierOptions): WebVerifier {
  checkOptions('createVerifier', options, OPTION_NAMES);
  const { secrets } = options;
  const time = readTimeOptions(options);
  const keyOf = createKeyring();
  const source = typeof secrets === 'function' ? secrets : readSecrets(secrets, keyOf);
  const bound = typeof source === 'function' || source.some(({ tenantId }) => tenantId !== undefined);

  /** Verifies a delivery, and returns a copy of the verified bytes, which the caller cannot change meanwhile. */
  async function prove(
    { body, signature: { t, digests } }: UnprovenDelivery,
    signed: Signed,
    context: VerifyContext | undefined,
  ): Promise<{ readonly body: Bytes; readonly secret: Candidate<WebKey> }> {
    const prefix = utf8(`${t}.`);
    const message = concat(prefix, typeof body === 'string' ? utf8(body) : body);
    const bytes = message.subarray(prefix.length);
    const tenantId = bound ? readUnverifiedTenantId(typeof body === 'string' ? body : bytes) : undefined;
    const all =
      typeof source === 'function'
        ? await resolveSecrets(source, { tenantId: tenantId ?? '', signed, context }, keyOf)
        : source;
    const candidates = tenantId === undefined ? all : candidatesOf(all, tenantId);
    const secret = await signerOf(message, digests, candidates);
    if (secret) return { body: bytes, secret };
    if (tenantId !== undefined) {
      const other = await signerOf(message, digests, otherTenants(all, tenantId, body.length));
      if (other) throw tenantMismatch(other);
      if (candidates.length === 0) throw noSecret(tenantId);
    }
    const mismatch = { body: bytes, t, secrets: candidates.map(({ key, index }) => ({ ...key.material, index })) };
    throw mismatchError(
      await confirmedCause(mismatch, digests),
      typeof body === 'string' ? { ...mismatch, body } : mismatch,
    );
  }

  async function verifyDelivery(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<VerifiedDelivery> {
    const delivery = readDelivery(rawBody, signed, time);
    const { body, secret } = await prove(delivery, signed, context);
    const { timestamp } = delivery.signature;
    return { event: readEvent(body, signed, secret), timestamp, secret: matchedSecret(secret) };
  }

  return Object.freeze<WebVerifier>({
    verifyDelivery,
    verify: async (...given) => (await verifyDelivery(...given)).event,
    async verifySignature(rawBody, signed, context) {
      const delivery = readDelivery(rawBody, signed, time);
      const { body, secret } = await prove(delivery, signed, context);
      if (bound) readEventOfTenant(body, secret);
      return delivery.signature.timestamp;
    },
  });
}

/**
 * Verifies one delivery.
 *
 * @throws {WebhookVerificationError} with the `code` of the reason and a `hint` at its cause
 * @throws {WebhookConfigurationError} as {@link createVerifier}
 */
export async function verify(rawBody: RawBody, signed: Signed, options: WebVerifierOptions): Promise<WebhookEvent> {
  return createVerifier(options).verify(rawBody, signed);
}

const OPTION_NAMES: OptionNames<WebVerifierOptions> = { secrets: true, tolerance: true, now: true };

/** WebCrypto's key type. Without the DOM types it has no name. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * A secret with its key. The key is imported at its first use, because some runtimes have no crypto while modules are
 * loaded.
 */
interface WebKey {
  readonly material: { readonly text: string; readonly bytes: Bytes };
  key(): Promise<Key>;
}

const MAX_KEYS = 2048;

/**
 * Returns a function from a secret to its key. It caches the last 2,048 keys for resolvers that return the same secrets
 * again.
 */
function createKeyring(): (secret: string) => WebKey {
  const keys = new Map<string, WebKey>();
  return (secret) => {
    const known = keys.get(secret);
    if (known) return known;
    const bytes = utf8(checkedText(secret));
    let imported: Promise<Key> | undefined;
    const key = {
      material: { text: secret, bytes },
      key: () => {
        imported ??= importKey(bytes);
        return imported;
      },
    };
    const [oldest] = keys.size < MAX_KEYS ? [] : keys.keys();
    if (oldest !== undefined) keys.delete(oldest);
    keys.set(secret, key);
    return key;
  };
}

function checkedText(secret: unknown): string {
  if (typeof secret === 'string') return secret;
  throw new WebhookConfigurationError('SECRET_INVALID', 'A signing secret must be a string.');
}

function importKey(bytes: Bytes): Promise<Key> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

async function signerOf(
  message: Bytes,
  digests: readonly string[],
  candidates: readonly Candidate<WebKey>[],
): Promise<Candidate<WebKey> | undefined> {
  for (const candidate of candidates) {
    if (matches(await hmacHex(await candidate.key.key(), message), digests)) return candidate;
  }
  return undefined;
}

async function hmacHex(key: Key, message: Bytes): Promise<string> {
  let hex = '';
  for (const byte of new Uint8Array(await crypto.subtle.sign('HMAC', key, message))) {
    hex += byte.toString(16).padStart(2, '0');
  }
  return hex;
}

/**
 * Returns true if the digest is among those given. All have 64 lower-case hex characters and are compared in constant
 * time.
 */
function matches(digest: string, digests: readonly string[]): boolean {
  return digests.some((each) => {
    let difference = 0;
    for (let at = 0; at < 64; at += 1) difference |= digest.charCodeAt(at) ^ each.charCodeAt(at);
    return difference === 0;
  });
}

async function confirmedCause(mismatch: Mismatch, digests: readonly string[]): Promise<string | undefined> {
  for (const { key, message, hint } of attempts(mismatch)) {
    if (matches(await hmacHex(await importKey(key), message), digests)) return hint;
  }
  return undefined;
}
