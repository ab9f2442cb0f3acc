import { ERROR_CODES } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { CREDENTIAL_TYPES, HTTP_METHODS, REQUEST_OUTCOMES } from '../objects/request.ts';
import { OPERATIONS } from '../operations.ts';
import { answer, created_at, described, inline, nullable, page, params } from './objects.ts';
import type { Operations } from './operations.ts';
import { anyId, anyString, id, string, time } from './texts.ts';
import { always, array, boolean, integer, number, oneOf } from './values.ts';

const code = oneOf('ErrorCode', Object.keys(ERROR_CODES), 'Error code of the response.', 'INVALID_BODY');
const operation = oneOf(
  'OperationName',
  Object.keys(OPERATIONS),
  'Operation that the request called; null for an unknown path.',
  'clients.create',
);

const fieldError = {
  ...inline('An invalid field.', {
    path: anyString('Dotted path of the field.', 'name'),
    message: string('The rule that the value breaks, for people.', 'is required'),
  }),
  'x-type': 'FieldError',
};

export const loggedRefusal = answer('LoggedRefusal', 'The error of a refused request.', {
  code,
  message: string('Error message for people.', 'The body is not valid: name is required'),
  errors: nullable(
    array(
      fieldError,
      `The invalid fields, at most the first ${LIMITS.fieldErrors.max}; null for codes other than INVALID_REQUEST and INVALID_BODY.`,
    ),
  ),
});

export const loggedCredential = answer('LoggedCredential', 'The credential of a request.', {
  type: oneOf(
    null,
    CREDENTIAL_TYPES,
    'Type of the credential; `session` for a person who called from the Explorer of the console.',
    'api_key',
  ),
  id: anyId(
    'Id of the API key, of the grant for an access token, or of the user or developer for a session.',
    'key_01k0z8k3v7e5q2m9t4r6w1x8c0',
  ),
  app_id: nullable(id('app', 'Id of the OAuth app; null for an API key.')),
});

export const loggedRequest = answer(
  'LoggedRequest',
  'An entry of the request log. It has no bodies, and secrets are redacted.',
  {
    object: always('request'),
    id: id('request', 'The `X-Request-Id` of the response.'),
    method: string('HTTP method.', 'POST'),
    path: string(
      'Path of the request without its query. A segment longer than any id is replaced by `…`.',
      '/v1/clients',
    ),
    query: nullable(
      anyString(
        'Query without `?`; null if there was none. For a failed request only the names are logged, as `limit=…`.',
        'limit=5',
      ),
    ),
    operation: nullable(operation),
    outcome: oneOf(
      'RequestOutcome',
      REQUEST_OUTCOMES,
      'Outcome of the request: `failed` for a status of 400 or more, or without a response.',
      'failed',
    ),
    status: nullable(
      integer(100, 599, 'HTTP status of the response; null if the connection ended before the response.', 400),
    ),
    error: {
      anyOf: [loggedRefusal, { type: 'null' }],
      description: 'Error of the response; null if the request was not refused.',
    },
    credential: loggedCredential,
    idempotency_key: nullable(anyString('Value of the header `Idempotency-Key`; null without one.', 'order-1742')),
    idempotent_replayed: boolean(
      'True if the response was an idempotent replay of an earlier request with the same key.',
    ),
    ip: nullable(string('IP address of the caller.', '203.0.113.7')),
    user_agent: nullable(anyString('Value of the header `User-Agent`; null without one.', 'plat-sdk/1.0.0')),
    duration_ms: number(
      0,
      Number.MAX_SAFE_INTEGER,
      'Milliseconds from the arrival of the request head to the end of the response.',
      3.2,
    ),
    created_at,
  },
);

export const requestList = params('RequestListParams', 'Filters and paging for the list of requests.', {
  ...page,
  outcome: oneOf(
    'RequestOutcome',
    REQUEST_OUTCOMES,
    'Only requests with this outcome; `failed`: a status of 400 or more, or no response.',
  ),
  code: described(code, 'Only requests that were refused with this code.'),
  method: oneOf(null, HTTP_METHODS, 'Only requests with this method.'),
  operation: oneOf('OperationName', Object.keys(OPERATIONS), 'Only requests for this operation.'),
  credential_id: anyId('Only requests with this API key, grant, user or developer.'),
  created_after: time('Only requests received after this time.'),
  created_before: time('Only requests received before this time.'),
});

export const operations = {
  'requests.list': {
    query: 'RequestListParams',
    answer: 'LoggedRequest',
    details: 'Reads of the log itself are not logged.',
  },
  'requests.get': {
    answer: 'LoggedRequest',
    errors: ['REQUEST_NOT_FOUND'],
    details:
      'Some requests are not in the log: those without a valid credential, those that succeeded where only failures are kept, and those that are too old.',
  },
} as const satisfies Operations;
