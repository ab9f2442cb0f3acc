import type { AppEventPayloads, AppEventType, EventType } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { SAMPLE_PAYLOADS } from '@plat/webhooks/testing';
import { requireEnabledEndpoint } from '../../accounts/webhook-endpoints.ts';
import type { Caller } from '../../auth/credential.ts';
import type { WriteContext } from '../../context.ts';
import { exampleOf } from '../../http/example.ts';
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
  await ctx.emitToApp(ctx.tenantId, type, samplePayloadOf(type), ctx.now);
  await recordTest(ctx, endpointId, type);
}

/** Returns sample data of an event of an app: the examples of its schema. */
export function samplePayloadOf<T extends AppEventType>(type: T): AppEventPayloads[T] {
  const event = SCHEMAS.AppEvent.oneOf?.find(({ properties }) => properties?.['type']?.const === type);
  const data = event?.properties?.['data'];
  if (!data) throw new Error(`the contract has no data of ${type}`);
  // The interface of the payload is generated from this schema.
  return exampleOf(data) as AppEventPayloads[T];
}

async function recordTest({ audit, now }: WriteContext<Caller>, endpointId: string, type: string): Promise<void> {
  const target = { type: 'webhook_endpoint', id: endpointId };
  await audit({ action: 'webhook_endpoint.tested', target, changes: { type: { before: null, after: type } }, at: now });
}
