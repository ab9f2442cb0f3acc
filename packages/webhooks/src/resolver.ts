import { noSecret } from './binding.ts';
import type { Awaitable } from './dedupe/store.ts';
import { WebhookResolverError } from './errors.ts';
import { header, type Signed } from './headers.ts';
import { type Candidate, readSecrets, type Secrets } from './secrets.ts';

/** What a {@link SecretResolver} is given. None of it is verified: use it to find the secrets, and for nothing else. */
export interface SecretLookup {
  /**
   * The `tenant_id` in the body: `tnt_` and up to 124 letters, digits, `-` and `_`. Anyone can write it. A delivery passes
   * only if a secret that you return for this tenant has signed it.
   */
  readonly tenantId: string;
  /**
   * Path and query of the request, such as `/webhooks?v=2`. Adapters always give it; `verify` gives what you pass to it.
   * A URL is unique among the endpoints of a tenant, so tenant and URL together name one endpoint.
   */
  readonly url: string | undefined;
  /** The request's headers, names in any case; undefined for one that is absent or repeated. */
  readonly headers: {
    /** Returns a header by its name in any case. */
    get(name: string): string | undefined;
  };
}

/**
 * Finds the signing secrets of a tenant, in a database for example. It is called once for each delivery whose header is
 * well-formed and in time; strangers can cause that too, so keep it to one cheap look-up.
 *
 * @returns the tenant's secrets; undefined, null or an empty array for an unknown tenant
 */
export type SecretResolver<S = string> = (lookup: SecretLookup) => Awaitable<Secrets<S> | undefined | null>;

/** What a verifier may be told about a request beside its body and headers. */
export interface VerifyContext {
  /** Path and query of the request, for the resolver. */
  readonly url?: string | undefined;
}

/**
 * Calls the resolver.
 *
 * @throws {WebhookResolverError} `RESOLVER_FAILED`
 */
export function callResolver<S>(
  resolve: SecretResolver<S>,
  tenantId: string,
  signed: Signed,
  context: VerifyContext | undefined,
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

export function resolverFailed(tenantId: string, cause: unknown): WebhookResolverError {
  return new WebhookResolverError(
    'RESOLVER_FAILED',
    `The secrets resolver failed for ${tenantId}, the tenant that the unverified body names.`,
    { cause },
  );
}

/**
 * Lists what the resolver returned for a tenant, every secret bound to that tenant.
 *
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
