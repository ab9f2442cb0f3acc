import { ERROR_CODES } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { HTTP_METHODS, REQUEST_OUTCOMES } from '../objects/request.ts';
import { OPERATIONS } from '../operations.ts';
import { answer, created_at, described, inline, nullable, page, params } from './objects.ts';
import { anyId, anyString, id, string, time } from './texts.ts';
import { always, array, boolean, integer, number, oneOf } from './values.ts';

const code = oneOf('ErrorCode', Object.keys(ERROR_CODES), 'The code of the refusal.', 'INVALID_BODY');
const operation = oneOf(
  'OperationName',
  Object.keys(OPERATIONS),
  'The operation of the path; null for a path that the API does not have.',
  'clients.create',
);

const fieldError = {
  ...inline('A field that was wrong.', {
    path: anyString('Dotted path of the field.', 'name'),
    message: string('The rule that the value breaks, for people.', 'is required'),
  }),
  'x-type': 'FieldError',
};

export const loggedRefusal = answer('LoggedRefusal', 'Why a request was refused.', {
  code,
  message: string('The message, for people.', 'The body is not valid: name is required'),
  errors: nullable(
    array(
      fieldError,
      `The fields that were wrong, the first ${LIMITS.fieldErrors.max}; null with other codes than INVALID_REQUEST and INVALID_BODY.`,
    ),
  ),
});

export const loggedCredential = answer('LoggedCredential', 'The credential of a request.', {
  type: oneOf(null, ['api_key', 'oauth_token'], 'Kind of the credential.', 'api_key'),
  id: anyId('The id of the key; of the grant for an access token.', 'key_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  app_id: nullable(id('app', 'The OAuth app; null for an API key.')),
});

export const loggedRequest = answer(
  'LoggedRequest',
  'A request to the API, as the request log keeps it: without bodies, with secrets redacted.',
  {
    object: always('request'),
    id: id('request', 'The `X-Request-Id` of the response.'),
    method: string('The method.', 'POST'),
    path: string(
      'The path as it was sent, without its query; `…` in the place of a segment that is longer than any id.',
      '/v1/clients',
    ),
    query: nullable(
      anyString(
        'The query without `?`; of a request that failed the names only, as `limit=…`. Null when there was none.',
        'limit=5',
      ),
    ),
    operation: nullable(operation),
    outcome: oneOf(
      'RequestOutcome',
      REQUEST_OUTCOMES,
      'How it ended: `failed` with a status of 400 or more, or without a response.',
      'failed',
    ),
    status: nullable(integer(100, 599, 'The status of the response; null when the connection ended before it.', 400)),
    error: { anyOf: [loggedRefusal, { type: 'null' }], description: 'Why it was refused; null when it was not.' },
    credential: loggedCredential,
    idempotency_key: nullable(anyString('The header `Idempotency-Key`.', 'order-1742')),
    idempotent_replayed: boolean('true when the response was the stored one of an earlier request with the same key.'),
    ip: nullable(string('The address that it came from.', '203.0.113.7')),
    user_agent: nullable(anyString('The header `User-Agent`.', 'plat-sdk/1.0.0')),
    duration_ms: number(
      0,
      Number.MAX_SAFE_INTEGER,
      'Milliseconds from the arrival of the request head to the end of the response.',
      3.2,
    ),
    created_at,
  },
);

export const requestList = params('RequestListParams', 'Which requests to list.', {
  ...page,
  outcome: oneOf(
    'RequestOutcome',
    REQUEST_OUTCOMES,
    'Only requests with this outcome; `failed`: a status of 400 or more, or no response.',
  ),
  code: described(code, 'Only requests that were refused with this code.'),
  method: oneOf(null, HTTP_METHODS, 'Only requests with this method.'),
  operation: oneOf('OperationName', Object.keys(OPERATIONS), 'Only requests for this operation.'),
  credential_id: anyId('Only requests with this API key or under this grant.'),
  created_after: time('Only requests after this instant.'),
  created_before: time('Only requests before this instant.'),
});
