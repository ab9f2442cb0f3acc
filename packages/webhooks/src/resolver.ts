import { noSecret } from './binding.ts';
import type { Awaitable } from './dedupe/store.ts';
import { WebhookResolverError } from './errors.ts';
import { header, type Signed } from './headers.ts';
import { type Candidate, readSecrets, type Secrets } from './secrets.ts';

/** Unverified data of a delivery for a {@link SecretResolver}. Use it only to find the secrets. */
export interface SecretLookup {
  /**
   * The `tenant_id` in the body: `tnt_` and up to 124 letters, digits, `-` and `_`. It is untrusted. A delivery is
   * accepted only if a secret that you return for this tenant has signed it.
   */
  readonly tenantId: string;
  /**
   * Path and query of the request, such as `/webhooks?v=2`. Adapters always set it; for `verify` it is the value that
   * you pass. A URL is unique among the endpoints of a tenant, so tenant and URL together identify one endpoint.
   */
  readonly url: string | undefined;
  /** Request headers, with names in any case; undefined for a header that is absent or repeated. */
  readonly headers: {
    /** Returns a header by its name in any case. */
    get(name: string): string | undefined;
  };
}

/**
 * Finds the signing secrets of a tenant, for example in a database. It is called once for each delivery whose header is
 * well-formed and in time. Any caller can trigger that, so keep it to one cheap look-up.
 * @returns the tenant's secrets; undefined, null or an empty array for an unknown tenant
 */
export type SecretResolver<S = string> = (lookup: SecretLookup) => Awaitable<Secrets<S> | undefined | null>;

/** Further data of a request, besides its body and headers. */
export interface VerifyContext {
  /** Path and query of the request, for the resolver. */
  readonly url?: string | undefined;
}

/** The delivery for which secrets are looked up. */
interface Unresolved {
  /** Read from the unverified body. */
  readonly tenantId: string;
  readonly signed: Signed;
  readonly context: VerifyContext | undefined;
}

/**
 * Calls the resolver and returns the secrets that it found, each bound to the tenant.
 * @throws {WebhookResolverError} `RESOLVER_FAILED`
 * @throws the errors of {@link readResolved}
 */
export async function resolveSecrets<S, K>(
  resolve: SecretResolver<S>,
  delivery: Unresolved,
  keyOf: (secret: S) => K,
): Promise<readonly Candidate<K>[]> {
  const { tenantId } = delivery;
  const resolved = await Promise.resolve(callResolver(resolve, delivery)).catch((error) => {
    throw resolverFailed(tenantId, error);
  });
  return readResolved(resolved, tenantId, keyOf);
}

/**
 * Calls the resolver.
 * @throws {WebhookResolverError} `RESOLVER_FAILED` if it throws
 */
export function callResolver<S>(
  resolve: SecretResolver<S>,
  { tenantId, signed, context }: Unresolved,
): ReturnType<SecretResolver<S>> {
  const get = (name: string): string | undefined => {
    const value = typeof signed === 'string' ? undefined : header(signed, name.toLowerCase());
    return typeof value === 'string' ? value : undefined;
  };
  try {
    return resolve({ tenantId, url: context?.url, headers: { get } });
  } catch (error) {
    throw resolverFailed(tenantId, error);
  }
}

function resolverFailed(tenantId: string, cause: unknown): WebhookResolverError {
  return new WebhookResolverError(
    'RESOLVER_FAILED',
    `The secrets resolver failed for ${tenantId}, the tenant that the unverified body names.`,
    { cause },
  );
}

/**
 * Returns the secrets that the resolver found for a tenant, each bound to that tenant.
 * @throws {WebhookVerificationError} `SECRET_NOT_FOUND`
 * @throws {WebhookConfigurationError} as {@link readSecrets}
 */
export function readResolved<S, K>(
  resolved: Secrets<S> | undefined | null,
  tenantId: string,
  keyOf: (secret: S) => K,
): readonly Candidate<K>[] {
  if (resolved === undefined || resolved === null || (Array.isArray(resolved) && resolved.length === 0)) {
    throw noSecret(tenantId);
  }
  return readSecrets<S, K>(resolved, keyOf).map((each) => ({ ...each, tenantId: each.tenantId ?? tenantId }));
}
