import {
  ALL_APP_EVENT_TYPES,
  ALL_EVENT_TYPES,
  type AnyEventType,
  APP_EVENT_TYPES,
  EVENT_TYPES,
  ID_PATTERN,
  ID_PREFIXES,
  LIMITS,
} from '@plat/contract';
import { appEventOf, eventOf, type JsonSchema } from '@plat/contract/schemas';
import type { Components } from './components.ts';
import type { Operation, Parameter } from './openapi-document.ts';

interface Delivered {
  readonly type: AnyEventType;
  readonly summary: string;
  /** The owner of the endpoints. */
  readonly owner: 'tenant' | 'app';
  readonly schema: JsonSchema;
}

/** The events of tenants, and of apps. */
const delivered = (): readonly Delivered[] => [
  ...ALL_EVENT_TYPES.map(
    (type) => ({ type, summary: EVENT_TYPES[type], owner: 'tenant', schema: eventOf(type) }) as const,
  ),
  ...ALL_APP_EVENT_TYPES.map(
    (type) => ({ type, summary: APP_EVENT_TYPES[type], owner: 'app', schema: appEventOf(type) }) as const,
  ),
];

/** Event type → the request to endpoints that subscribe to it. */
export function webhooksOf(components: Components): Readonly<Record<string, { readonly post: Operation }>> {
  return Object.fromEntries(delivered().map((event) => [event.type, { post: delivery(event, components) }]));
}

function delivery({ type, summary, owner, schema }: Delivered, components: Components): Operation {
  return {
    operationId: type,
    summary,
    description: `Sent to every webhook endpoint of the ${owner} that is subscribed to \`${type}\`, after the change was committed; at least once.`,
    tags: [owner === 'tenant' ? 'webhooks' : 'developer'],
    security: [],
    parameters: [
      sent('X-Platform-Event', 'The event type.', { type: 'string', const: type }),
      sent('X-Platform-Event-Id', 'The `id` of the event.', id(ID_PREFIXES.event)),
      sent('X-Platform-Delivery-Id', 'Differs with each attempt.', id(ID_PREFIXES.webhook_delivery)),
      sent(
        'X-Platform-Signature',
        `Unix seconds, and HMAC-SHA256 over \`<t>.<raw body>\` by the secret of the endpoint, in hex. Refuse a time that differs from yours by more than ${LIMITS.webhook.toleranceSeconds} seconds.`,
        { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
      ),
    ],
    requestBody: { required: true, content: components.content(schema, 'answer') },
    responses: {
      '2XX': { description: 'The delivery succeeded. The content of the response has no effect.' },
      default: {
        description: `Any other status, or no response within ${LIMITS.webhook.timeoutSeconds} seconds: the delivery is repeated, up to ${LIMITS.webhook.attempts} attempts in total.`,
      },
    },
  };
}

function sent(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'header', required: true, description, schema };
}

function id(prefix: string): JsonSchema {
  return { type: 'string', pattern: `^${prefix}_${ID_PATTERN}$` };
}
