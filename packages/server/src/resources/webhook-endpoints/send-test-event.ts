import type { AppEventType, EventType } from '@plat/contract';
import { SAMPLE_APP_PAYLOADS, SAMPLE_PAYLOADS } from '@plat/webhooks/testing';
import { requireEnabledEndpoint } from '../../accounts/webhook-endpoints.ts';
import type { Caller } from '../../auth/credential.ts';
import type { WriteContext } from '../../context.ts';
import { ApiError } from '../../kernel/api-error.ts';

/**
 * Records an event with sample data in a sandbox, which is delivered like any other: signed, retried, and to every
 * endpoint that subscribes to its type. A production tenant has none, because its receivers would act on the data.
 * @throws {@link ApiError} WEBHOOK_ENDPOINT_NOT_FOUND, UNPROCESSABLE
 */
export async function sendTestEvent(ctx: WriteContext<Caller>, endpointId: string, type: EventType): Promise<void> {
  if (!ctx.credential.sandbox) {
    throw new ApiError('UNPROCESSABLE', 'Test events are for sandboxes; resend an event of the tenant instead');
  }
  await requireEnabledEndpoint(ctx, endpointId);
  await ctx.emit(type, SAMPLE_PAYLOADS[type], ctx.now);
  await recordTest(ctx, endpointId, type);
}

/**
 * Records an event of an app with sample data. The tenant of the context is the app.
 * @throws {@link ApiError} WEBHOOK_ENDPOINT_NOT_FOUND, UNPROCESSABLE
 */
export async function sendAppTestEvent(
  ctx: WriteContext<Caller>,
  endpointId: string,
  type: AppEventType,
): Promise<void> {
  await requireEnabledEndpoint(ctx, endpointId);
  await ctx.emitToApp(ctx.tenantId, type, SAMPLE_APP_PAYLOADS[type], ctx.now);
  await recordTest(ctx, endpointId, type);
}

async function recordTest({ audit, now }: WriteContext<Caller>, endpointId: string, type: string): Promise<void> {
  const target = { type: 'webhook_endpoint', id: endpointId };
  await audit({ action: 'webhook_endpoint.tested', target, changes: { type: { before: null, after: type } }, at: now });
}
