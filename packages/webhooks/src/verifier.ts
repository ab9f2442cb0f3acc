import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { OptionNames } from '@plat/contract';
import { candidatesOf, noSecret, otherTenants, tenantMismatch } from './binding.ts';
import { concat } from './bytes.ts';
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
import { attempts, type Mismatch, mismatchError, type SecretMaterial } from './mismatch.ts';
import { checkOptions } from './options.ts';
import { readTimeOptions, type TimeOptions, type TimePolicy } from './policy.ts';
import type { RawBody } from './raw-body.ts';
import { callResolver, readResolved, resolveSecrets, type SecretResolver, type VerifyContext } from './resolver.ts';
import { type Candidate, matchedSecret, readSecrets, type Secrets } from './secrets.ts';
import { hmacHex, signingKey } from './sign.ts';
import { readUnverifiedTenantId } from './tenant-id.ts';

/** Options of a {@link Verifier}. */
export interface VerifierOptions extends TimeOptions {
  /**
   * Signing secret of the endpoint, or several while one is being rotated. A delivery is accepted under any of them.
   * The key is the whole string, including `whsec_`.
   *
   * Any of these secrets verifies an event of any tenant. A receiver for several tenants must bind each secret to its
   * tenant, with a {@link SecretResolver} or with entries `{ secret, tenantId }`. Otherwise tenant A can sign an event
   * that names tenant B.
   */
  readonly secrets: Secrets<string | KeyObject>;
}

/** Options of a {@link ResolvingVerifier}, for receivers with many tenants. */
export interface ResolvingVerifierOptions extends TimeOptions {
  /**
   * Returns the signing secrets of the tenant that the unverified body names. An event is accepted only under a secret
   * that was returned for its own tenant. Each delivery costs one look-up for any number of tenants.
   */
  readonly secrets: SecretResolver<string | KeyObject>;
}

/** Options of either kind of verifier. */
export interface AnyVerifierOptions extends TimeOptions {
  /** Signing secrets of the endpoint. For many tenants a resolver, which binds each secret to its tenant. */
  readonly secrets: VerifierOptions['secrets'] | ResolvingVerifierOptions['secrets'];
}

/** Verifies deliveries under fixed secrets. It keeps no state between calls, and prints no secret. */
export interface Verifier {
  /**
   * Returns the event of a delivery that is authentic and in time.
   * @param rawBody the body as received, before any parser
   * @param signed the request's headers, or the value of `X-Platform-Signature` alone. With the headers,
   *   `X-Platform-Event` and `X-Platform-Event-Id` are also compared with the signed body.
   * @throws {WebhookVerificationError} with the `code` of the reason and a `hint` at its cause
   */
  verify(rawBody: RawBody, signed: Signed, context?: VerifyContext): WebhookEvent;
  /** Same as {@link verify}, but also returns the time of the signature and the secret that verified it. */
  verifyDelivery(rawBody: RawBody, signed: Signed, context?: VerifyContext): VerifiedDelivery;
  /**
   * Verifies header, timestamp and signature without reading the event. For a proxy or a queue that passes the bytes
   * on. With secrets that are bound to a tenant, the event is read.
   * @returns time of the signature in Unix seconds
   * @throws {WebhookVerificationError} with the `code` of the reason and a `hint` at its cause
   */
  verifySignature(rawBody: RawBody, signed: Signed, context?: VerifyContext): number;
}

/** Verifies deliveries under the secrets of a {@link SecretResolver}. Same as {@link Verifier}, but with promises. */
export interface ResolvingVerifier {
  /**
   * Returns the event of a delivery that is authentic and in time.
   * @throws {WebhookVerificationError} with the `code` of the reason and a `hint` at its cause
   * @throws {WebhookResolverError} `RESOLVER_FAILED` when the resolver throws or rejects
   */
  verify(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<WebhookEvent>;
  /** Same as {@link verify}, but also returns the time of the signature and the secret that verified it. */
  verifyDelivery(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<VerifiedDelivery>;
  /** Returns the time of the signature in Unix seconds. The event is read, because it names the tenant. */
  verifySignature(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<number>;
  /**
   * Verifies synchronously. The resolver must be synchronous too.
   * @throws {WebhookConfigurationError} `RESOLVER_ASYNC` when the resolver returns a promise
   */
  verifySync(rawBody: RawBody, signed: Signed, context?: VerifyContext): WebhookEvent;
}

/**
 * Creates a verifier. Create it once: its keys are prepared here.
 *
 * @example
 * const verifier = createVerifier({ secrets: process.env.WEBHOOK_SECRET ?? '' });
 * const event = verifier.verify(rawBody, request.headers);
 *
 * @example For many tenants: an event passes only under a secret of its own tenant.
 * const verifier = createVerifier({ secrets: ({ tenantId }) => secretsOfTenant(tenantId) });
 * const event = await verifier.verify(rawBody, request.headers);
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function createVerifier(options: VerifierOptions): Verifier;
export function createVerifier(options: ResolvingVerifierOptions): ResolvingVerifier;
export function createVerifier(options: AnyVerifierOptions): Verifier | ResolvingVerifier;
export function createVerifier(options: AnyVerifierOptions): Verifier | ResolvingVerifier {
  checkOptions('createVerifier', options, OPTION_NAMES);
  const { secrets } = options;
  const time = readTimeOptions(options);
  return typeof secrets === 'function' ? resolvingVerifier(secrets, time) : fixedVerifier(secrets, time);
}

/**
 * Verifies one delivery. For many deliveries use {@link createVerifier}, which also reports a wrong configuration at
 * the start.
 * @throws {WebhookVerificationError} with the `code` of the reason and a `hint` at its cause
 * @throws {WebhookConfigurationError} as {@link createVerifier}
 */
export function verify(rawBody: RawBody, signed: Signed, options: VerifierOptions): WebhookEvent;
export function verify(rawBody: RawBody, signed: Signed, options: ResolvingVerifierOptions): Promise<WebhookEvent>;
export function verify(
  rawBody: RawBody,
  signed: Signed,
  options: AnyVerifierOptions,
): WebhookEvent | Promise<WebhookEvent> {
  return createVerifier(options).verify(rawBody, signed);
}

const OPTION_NAMES: OptionNames<VerifierOptions> = { secrets: true, tolerance: true, now: true };

function fixedVerifier(secrets: VerifierOptions['secrets'], time: TimePolicy): Verifier {
  const all = readSecrets(secrets, signingKey);
  const bound = all.some(({ tenantId }) => tenantId !== undefined);

  function proveOne(delivery: UnprovenDelivery): Candidate<KeyObject> {
    return bound ? prove(delivery, all, readUnverifiedTenantId(delivery.body)) : prove(delivery, all);
  }

  return Object.freeze<Verifier>({
    verify(rawBody, signed) {
      const delivery = readDelivery(rawBody, signed, time);
      return readEvent(delivery.body, signed, proveOne(delivery));
    },
    verifyDelivery(rawBody, signed) {
      const delivery = readDelivery(rawBody, signed, time);
      return verified(delivery, signed, proveOne(delivery));
    },
    verifySignature(rawBody, signed) {
      const delivery = readDelivery(rawBody, signed, time);
      const secret = proveOne(delivery);
      if (bound) readEventOfTenant(delivery.body, secret);
      return delivery.signature.timestamp;
    },
  });
}

function resolvingVerifier(resolve: SecretResolver<string | KeyObject>, time: TimePolicy): ResolvingVerifier {
  async function verifyDelivery(rawBody: RawBody, signed: Signed, context?: VerifyContext): Promise<VerifiedDelivery> {
    const delivery = readDelivery(rawBody, signed, time);
    const tenantId = readUnverifiedTenantId(delivery.body);
    const secrets = await resolveSecrets(resolve, { tenantId, signed, context }, signingKey);
    return verified(delivery, signed, prove(delivery, secrets, tenantId));
  }

  return Object.freeze<ResolvingVerifier>({
    verifyDelivery,
    verify: async (...given) => (await verifyDelivery(...given)).event,
    verifySignature: async (...given) => (await verifyDelivery(...given)).timestamp,
    verifySync(rawBody, signed, context) {
      const delivery = readDelivery(rawBody, signed, time);
      const tenantId = readUnverifiedTenantId(delivery.body);
      const resolved = callResolver(resolve, { tenantId, signed, context });
      if (isPromise(resolved)) throw resolverAsync(resolved);
      return readEvent(delivery.body, signed, prove(delivery, readResolved(resolved, tenantId, signingKey), tenantId));
    },
  });
}

function verified(delivery: UnprovenDelivery, signed: Signed, secret: Candidate<KeyObject>): VerifiedDelivery {
  const { timestamp } = delivery.signature;
  return { event: readEvent(delivery.body, signed, secret), timestamp, secret: matchedSecret(secret) };
}

/** Returns the secret that signed the delivery, of those that may sign for the tenant. */
function prove(
  delivery: UnprovenDelivery,
  all: readonly Candidate<KeyObject>[],
  tenantId?: string,
): Candidate<KeyObject> {
  const candidates = tenantId === undefined ? all : candidatesOf(all, tenantId);
  const signer = signerOf(delivery, candidates);
  if (signer) return signer;
  const { body, signature } = delivery;
  if (tenantId !== undefined) {
    const other = signerOf(delivery, otherTenants(all, tenantId, body.length));
    if (other) throw tenantMismatch(other);
    if (candidates.length === 0) throw noSecret(tenantId);
  }
  const mismatch = { body, t: signature.t, secrets: candidates.map(materialOf) };
  throw mismatchError(confirmedCause(mismatch, signature.digests), mismatch);
}

function signerOf(
  { body, signature: { t, digests } }: UnprovenDelivery,
  candidates: readonly Candidate<KeyObject>[],
): Candidate<KeyObject> | undefined {
  for (const candidate of candidates) {
    if (matches(hmacHex(candidate.key, t, body), digests)) return candidate;
  }
  return undefined;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Creates the error and handles the promise, whose later rejection no caller would catch. */
function resolverAsync(resolved: PromiseLike<unknown>): WebhookConfigurationError {
  resolved.then(undefined, () => undefined);
  return new WebhookConfigurationError('RESOLVER_ASYNC', 'The secrets resolver returned a promise: use verify.');
}

// Two buffers for all comparisons: the code between the writes and the comparison is synchronous.
const expected = Buffer.alloc(64);
const given = Buffer.alloc(64);

/** Returns true if the digest is among those given. All are lower-case hex and compared in constant time. */
function matches(digest: string, digests: readonly string[]): boolean {
  expected.write(digest, 'latin1');
  for (const each of digests) {
    given.write(each, 'latin1');
    if (timingSafeEqual(expected, given)) return true;
  }
  return false;
}

function confirmedCause(mismatch: Mismatch, digests: readonly string[]): string | undefined {
  for (const { key, message, hint } of attempts(mismatch)) {
    if (matches(createHmac('sha256', key).update(message).digest('hex'), digests)) return hint;
  }
  return undefined;
}

function materialOf({ key, index }: Candidate<KeyObject>): SecretMaterial {
  const bytes = key.export();
  return { index, bytes: concat(bytes), text: bytes.toString('utf8') };
}
