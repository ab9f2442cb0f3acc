import { ALL_EVENT_TYPES, ERROR_CODES, type ErrorCode, WEBHOOK_DELIVERY_ERROR_CLASSES } from '@plat/contract';
import { type AnyRule, id, integer, number, object, oneOf, optional, string, text } from '../http/rules.ts';
import { refusal, validate } from '../http/validate.ts';
import { type Fault, isRequestFault } from './faults.ts';
import { isOperationPattern } from './targets.ts';

const often = {
  times: optional(integer({ min: 1, max: 1_000_000 })),
  probability: optional(number({ min: 0, max: 1 })),
  tenant_id: optional(id('tenant')),
};
const request = {
  operation: optional(string()),
  path: optional(string()),
  method: optional(oneOf(['GET', 'POST', 'PATCH', 'DELETE'])),
  ...often,
};
const delivery = {
  endpoint_id: optional(id('webhook_endpoint')),
  event_type: optional(oneOf(ALL_EVENT_TYPES)),
  ...often,
};

/** What each kind takes beside its name. */
const FIELDS: { readonly [K in Fault['kind']]: Readonly<Record<string, AnyRule>> } = {
  error: { code: oneOf(Object.keys(ERROR_CODES) as ErrorCode[]), message: optional(text(500)), ...request },
  delay: { ms: integer({ min: 1, max: 600_000 }), ...request },
  cut: { when: oneOf(['before', 'after']), ...request },
  malformed: request,
  rate_limited: { retry_after: optional(integer({ min: 1, max: 86_400 })), ...request },
  duplicate_delivery: delivery,
  reorder_deliveries: delivery,
  delivery_error: {
    status: optional(integer({ min: 300, max: 599 })),
    error_class: optional(oneOf(WEBHOOK_DELIVERY_ERROR_CLASSES)),
    ...delivery,
  },
};
const KINDS = Object.keys(FIELDS) as Fault['kind'][];
const RULES = new Map<unknown, AnyRule>(
  KINDS.map((kind) => [kind, object<object>({ kind: oneOf([kind]), ...FIELDS[kind] })]),
);

/**
 * A fault as it was asked for.
 * @throws {@link ApiError} INVALID_BODY
 */
export function readFault(body: Readonly<Record<string, unknown>>): Fault {
  const rule = RULES.get(body['kind']);
  if (!rule) throw wrong('kind', `must be one of ${KINDS.join(', ')}`);
  const fault = validate('INVALID_BODY', rule, body) as Fault;
  if (isRequestFault(fault)) {
    const { operation, path, method } = fault;
    if ((operation === undefined) === (path === undefined)) {
      throw wrong('operation', 'is needed, or "path" in its place, not both; "*" is every operation');
    }
    if (operation !== undefined && !isOperationPattern(operation)) {
      throw wrong('operation', 'names no operation, such as clients.create, clients.*, oauth.token');
    }
    if (operation !== undefined && method !== undefined) throw wrong('method', 'goes with "path"');
  } else if (fault.kind === 'delivery_error' && fault.status !== undefined && fault.error_class !== undefined) {
    throw wrong('status', 'is for an attempt that is answered; "error_class" for one that is not');
  }
  return fault;
}

function wrong(path: string, message: string) {
  return refusal('INVALID_BODY', [{ path, message }]);
}
