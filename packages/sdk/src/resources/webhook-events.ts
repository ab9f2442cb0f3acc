import type { EventListParams, PlatformEvent } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Engine } from '../call/engine.ts';
import type { ListCall } from '../list/list-call.ts';
import { family, type ListOptions } from './operation.ts';

/** Events of the tenant, kept for 30 days. */
export interface WebhookEvents {
  /** Lists events, newest first, each told apart by its `type`. Scope `webhooks:read`. */
  list(params?: EventListParams, options?: ListOptions): ListCall<PlatformEvent>;
  /** Shows an event. Scope `webhooks:read`. @throws ApiError `WEBHOOK_EVENT_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<PlatformEvent>;
}

export const WEBHOOK_EVENT_OPERATIONS = { list: 'webhooks.events.list', get: 'webhooks.events.get' } as const;

export function webhookEventsResource(engine: Engine): WebhookEvents {
  return family(engine, WEBHOOK_EVENT_OPERATIONS);
}
