import { ERROR_CODES } from '../errors.ts';
import { APP_ENDPOINTS } from '../objects/oauth.ts';
import { answer, created_at, described, nullable, page, params } from './objects.ts';
import { loggedRefusal } from './request.ts';
import { anyString, id, string, time } from './texts.ts';
import { always, integer, number, oneOf } from './values.ts';

const code = oneOf('ErrorCode', Object.keys(ERROR_CODES), 'Error code of the response.', 'INVALID_GRANT');
const endpoint = oneOf('AppEndpoint', APP_ENDPOINTS, 'Endpoint that refused the request: `token` is `/oauth/token`.');

export const appRefusal = answer(
  'AppRefusal',
  'A refused request of an OAuth app to the authorize, token, introspection or revocation endpoint. It has no form, no query and no secret.',
  {
    object: always('app_refusal'),
    id: id('request', 'The `X-Request-Id` of the response.'),
    endpoint,
    status: nullable(
      integer(
        100,
        599,
        'HTTP status of the response: 303 if the refusal was sent to the redirect URI; null if the connection ended before.',
        400,
      ),
    ),
    error: {
      anyOf: [loggedRefusal, { type: 'null' }],
      description: 'Error of the response; null without a response.',
    },
    installation_id: nullable(
      id('grant', 'Id of the installation whose code or token the app sent; null if it was not found.'),
    ),
    ip: nullable(string('IP address of the caller; null for `authorize`, which a user opens.', '203.0.113.7')),
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

export const appRefusalList = params('AppRefusalListParams', 'Filters and paging for the list of refusals.', {
  ...page,
  endpoint: described(endpoint, 'Only refusals of this endpoint.'),
  code: described(code, 'Only requests that were refused with this code.'),
  created_after: time('Only requests received after this time.'),
  created_before: time('Only requests received before this time.'),
});
