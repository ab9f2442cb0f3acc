import {
  ERROR_CODES,
  type ErrorCode,
  type FieldError,
  HTTP_METHODS,
  LIMITS,
  type LoggedCredential,
  type LoggedRefusal,
  type LoggedRequest,
  OPERATIONS,
  type OperationName,
  REQUEST_OUTCOMES,
  type RequestListParams,
} from '@plat/contract';
import {
  anyId,
  anyString,
  array,
  boolean,
  describe,
  id,
  integer,
  listFields,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  timestamp,
} from '../../http/rules.ts';

const code = () => describe(oneOf(Object.keys(ERROR_CODES) as ErrorCode[]), 'The code of the refusal.', 'INVALID_BODY');
const operation = () => oneOf(Object.keys(OPERATIONS) as OperationName[]);
const outcome = () =>
  describe(
    oneOf(REQUEST_OUTCOMES),
    'How it ended: `failed` with a status of 400 or more, or without an answer.',
    'failed',
  );

const refusal = object<LoggedRefusal>({
  code: code(),
  message: describe(string(), 'What it said, for people.', 'The body is not valid: name is required'),
  errors: describe(
    nullable(
      array(
        describe(
          object<FieldError>({
            path: describe(anyString(), 'Dotted path of the field.', 'name'),
            message: describe(string(), 'What is wrong with it.', 'is required'),
          }),
          'A field that was wrong.',
        ),
      ),
    ),
    `The fields that were wrong, the first ${LIMITS.fieldErrors.max}; null with other codes than INVALID_REQUEST and INVALID_BODY.`,
  ),
});

const credential = object<LoggedCredential>({
  type: describe(oneOf(['api_key', 'oauth_token']), 'Whether it was an API key or an access token.', 'api_key'),
  id: describe(anyId(), 'The id of the key; of the grant for an access token.', 'key_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  app_id: describe(nullable(id('app')), 'The OAuth app; null for an API key.'),
});

export const loggedRequest = describe(
  object<LoggedRequest>('Request', {
    object: oneOf(['request']),
    id: describe(id('request'), 'What the answer had as `X-Request-Id`.'),
    method: describe(string(), 'The method.', 'POST'),
    path: describe(
      string(),
      'The path as it was sent, without its query; `…` in the place of a segment that is longer than any id.',
      '/v1/clients',
    ),
    query: describe(
      nullable(anyString()),
      'The query; of a request that failed the names only, as `limit=…`. Null when there was none.',
      'limit=5',
    ),
    operation: describe(
      nullable(operation()),
      'The operation that the path stands for; null for one that the API does not have.',
      'clients.create',
    ),
    outcome: outcome(),
    status: describe(
      nullable(integer({ min: 100, max: 599 })),
      'The status of the answer; null when the connection ended before it.',
      400,
    ),
    error: describe(nullable(refusal), 'Why it was refused; null when it was not.'),
    credential: describe(credential, 'What it was authenticated by.'),
    idempotency_key: describe(nullable(anyString()), 'The header `Idempotency-Key`.', 'order-1742'),
    idempotent_replayed: describe(
      boolean(),
      'Whether the answer was the kept one of an earlier request with the same key.',
    ),
    ip: describe(nullable(string()), 'The address that it came from.', '203.0.113.7'),
    user_agent: describe(nullable(anyString()), 'The header `User-Agent`.', 'plat-sdk/1.0.0'),
    duration_ms: describe(
      number({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      'From the arrival of its head to the end of its answer.',
      3.2,
    ),
    created_at: timestamp(),
  }),
  'A request to the API, as the log keeps it: no bodies, and secrets are masked.',
);

export const requestList = object<RequestListParams>({
  ...listFields,
  outcome: optional(describe(oneOf(REQUEST_OUTCOMES), 'Only requests that ended so.')),
  code: optional(describe(code(), 'Only requests that were refused with this code.')),
  method: optional(describe(oneOf(HTTP_METHODS), 'Only requests with this method.')),
  operation: optional(describe(operation(), 'Only requests for this operation.')),
  credential_id: optional(describe(anyId(), 'Only requests with this API key or under this grant.')),
  created_after: optional(describe(timestamp(), 'Only requests after this instant.')),
  created_before: optional(describe(timestamp(), 'Only requests before this instant.')),
});
