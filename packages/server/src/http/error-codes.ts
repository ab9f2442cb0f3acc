import type { ErrorCode } from '@plat/contract';
import type { AnyRoute } from './route.ts';

/** Returns every error code of an operation: those that follow from its method, path and scope, and its own. */
export function errorCodesOf({ operation, errors }: Pick<AnyRoute, 'operation' | 'errors'>): readonly ErrorCode[] {
  const { method, scope, list } = operation;
  return [
    'INVALID_REQUEST',
    ...(list ? (['INVALID_CURSOR'] as const) : []),
    ...(method === 'GET' ? [] : (['INVALID_BODY'] as const)),
    'INVALID_TOKEN',
    'VENDOR_KEY_NOT_ALLOWED_ON_V1',
    ...(scope === null ? [] : (['INSUFFICIENT_SCOPE'] as const)),
    'TENANT_SUSPENDED',
    ...errors,
    ...(method === 'POST' ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE'] as const) : []),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
}
