import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES, ERROR_CODES } from '@plat/contract';
import { always, id, integer, type JsonSchema, number, object, oneOf, string, text } from '@plat/contract/schemas';
import { refusal, validate } from '../http/validate.ts';
import { type Fault, isRequestFault, UNANSWERED } from './faults.ts';
import { isOperationPattern } from './targets.ts';

const often = {
  times: integer(1, 1_000_000),
  probability: number(0, 1),
  tenant_id: id('tenant'),
};
const request = {
  operation: string(),
  path: string(),
  method: oneOf(null, ['GET', 'POST', 'PATCH', 'DELETE']),
  ...often,
};
const delivery = {
  endpoint_id: id('webhook_endpoint'),
  event_type: oneOf(null, [...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES]),
  ...often,
};

/** Fields of each kind, besides its name. */
const FIELDS: { readonly [K in Fault['kind']]: FaultFields } = {
  error: { required: { code: oneOf(null, Object.keys(ERROR_CODES)) }, optional: { message: text(500), ...request } },
  delay: { required: { ms: integer(1, 600_000) }, optional: request },
  cut: { required: { when: oneOf(null, ['before', 'after']) }, optional: request },
  malformed: { required: {}, optional: request },
  rate_limited: { required: {}, optional: { retry_after: integer(1, 86_400), ...request } },
  duplicate_delivery: { required: {}, optional: delivery },
  reorder_deliveries: { required: {}, optional: delivery },
  delivery_error: {
    required: {},
    optional: {
      status: integer(300, 599),
      error_class: oneOf(null, UNANSWERED),
      ...delivery,
    },
  },
};
const KINDS = Object.keys(FIELDS) as Fault['kind'][];
const SCHEMAS = new Map<unknown, JsonSchema>(
  KINDS.map((kind) => {
    const { required, optional } = FIELDS[kind];
    const schema = object({ kind: always(kind), ...required, ...optional }, ['kind', ...Object.keys(required)]);
    return [kind, schema];
  }),
);

interface FaultFields {
  readonly required: Readonly<Record<string, JsonSchema>>;
  readonly optional: Readonly<Record<string, JsonSchema>>;
}

/**
 * Validates and returns a fault from a request body.
 * @throws {@link ApiError} INVALID_BODY
 */
export function readFault(body: Readonly<Record<string, unknown>>): Fault {
  const schema = SCHEMAS.get(body['kind']);
  if (!schema) throw wrong('kind', `must be one of ${KINDS.join(', ')}`);
  const fault = validate('INVALID_BODY', schema, body) as Fault;
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
