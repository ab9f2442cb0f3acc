import { WebhookVerificationError } from './errors.ts';
import type { MatchedSecret } from './secrets.ts';

/** Returns the secrets that may sign an event of a tenant: those bound to it, and those bound to no tenant. */
export function candidatesOf<C extends MatchedSecret>(all: readonly C[], tenantId: string): readonly C[] {
  return all.filter((each) => each.tenantId === undefined || each.tenantId === tenantId);
}

/** Limits of the search for the tenant that signed. They are needed because any caller can trigger it. */
const MAX_HASHED_BYTES = 1024 * 1024;
const MAX_SECRETS = 64;

/**
 * Returns secrets of other tenants, which are tried only to name the cause of a refusal. They never verify a delivery.
 */
export function otherTenants<C extends MatchedSecret>(
  all: readonly C[],
  tenantId: string,
  bytes: number,
): readonly C[] {
  const others = all.filter((each) => each.tenantId !== undefined && each.tenantId !== tenantId);
  return others.slice(0, Math.min(MAX_SECRETS, Math.floor(MAX_HASHED_BYTES / Math.max(1, bytes))));
}

/** Creates the error for a tenant without a secret in this receiver. */
export function noSecret(tenantId: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'SECRET_NOT_FOUND',
    `There is none for ${tenantId}, which the unverified body names.`,
  );
}

/** Creates the error for an event that was signed with the secret of another tenant. */
export function tenantMismatch({ index }: MatchedSecret): WebhookVerificationError {
  return new WebhookVerificationError(
    'TENANT_MISMATCH',
    `secrets[${index}] signed it, which is bound to another tenant.`,
  );
}
