import type { ReadContext } from '../context.ts';
import { findById } from '../db/find.ts';
import { WEBHOOK_ENDPOINTS } from '../db/tables/webhook-endpoints.ts';
import { ApiError } from '../kernel/api-error.ts';

/**
 * Refuses an endpoint that is missing or disabled.
 * @throws {@link ApiError} WEBHOOK_ENDPOINT_NOT_FOUND, UNPROCESSABLE
 */
export async function requireEnabledEndpoint(ctx: ReadContext, id: string): Promise<void> {
  const { status } = await findById(ctx, {
    table: WEBHOOK_ENDPOINTS,
    columns: ['status'],
    kind: 'webhook_endpoint',
    id,
    missing: 'WEBHOOK_ENDPOINT_NOT_FOUND',
  });
  if (status === 'disabled') throw new ApiError('UNPROCESSABLE', 'The endpoint is disabled; enable it first');
}
