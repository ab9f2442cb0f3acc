import { mayActFor } from '../auth/access-tokens.ts';
import { tenantSuspended } from '../http/gate.ts';
import { ApiError } from '../kernel/api-error.ts';

/**
 * Refuses an app that currently has no access to a tenant. The refusal changes no data: access returns when the tenant
 * is reactivated or the app verified.
 * @throws {@link ApiError} TENANT_SUSPENDED, APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT
 */
export function refuseTenant(
  app: Parameters<typeof mayActFor>[0],
  tenant: { readonly tenant_status: 'active' | 'suspended'; readonly sandbox: 0 | 1 },
): void {
  if (tenant.tenant_status !== 'active') throw tenantSuspended();
  if (!mayActFor(app, tenant)) throw appNotVerified();
}

export function ownersOnly(): ApiError {
  return new ApiError('FORBIDDEN', 'Only an owner of the tenant can give an app access');
}

export function appDisabled(): ApiError {
  return new ApiError('APP_DISABLED', 'The app is disabled: no tenant can give it access, and it gets no tokens');
}

export function appNotVerified(): ApiError {
  return new ApiError(
    'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT',
    'The app is not verified, and works with the sandboxes of developers only',
  );
}
