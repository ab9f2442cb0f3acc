import { WebhookVerificationError } from './errors.ts';
import type { MatchedSecret } from './secrets.ts';

/** Lists the secrets that may sign an event of a tenant: those bound to it, and those bound to none. */
export function candidatesOf<C extends MatchedSecret>(all: readonly C[], tenantId: string): readonly C[] {
  return all.filter((each) => each.tenantId === undefined || each.tenantId === tenantId);
}

/** Bounds of the search for the tenant that signed: strangers decide how often it runs. */
const MAX_HASHED_BYTES = 1024 * 1024;
const MAX_SECRETS = 64;

/** Lists secrets of other tenants that are tried to name the cause of a refusal: never to accept the delivery. */
export function otherTenants<C extends MatchedSecret>(
  all: readonly C[],
  tenantId: string,
  bytes: number,
): readonly C[] {
  const others = all.filter((each) => each.tenantId !== undefined && each.tenantId !== tenantId);
  return others.slice(0, Math.min(MAX_SECRETS, Math.floor(MAX_HASHED_BYTES / Math.max(1, bytes))));
}

/** The refusal of a tenant that has no secret here. */
export function noSecret(tenantId: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'SECRET_NOT_FOUND',
    `There is none for ${tenantId}, which the unverified body names.`,
  );
}

/** The refusal of an event that the secret of another tenant signed. */
export function tenantMismatch({ index }: MatchedSecret): WebhookVerificationError {
  return new WebhookVerificationError(
    'TENANT_MISMATCH',
    `secrets[${index}] signed it, which is bound to another tenant.`,
  );
}
