import { HTTP_METHODS, REQUEST_OUTCOMES } from '@plat/contract';
import { oneOf, openText, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';
import { timeRange } from './time-range.ts';

export const REQUEST_FIELDS: FamilyFields<'requests'> = {
  'requests.list': {
    outcome: oneOf(REQUEST_OUTCOMES, 'only requests that ended so; failed: with a status of 400 or more, or no answer'),
    code: openText('only requests that were refused with this code, such as INVALID_BODY', 'code'),
    method: oneOf(HTTP_METHODS, 'only requests with this method'),
    operation: openText('only requests for this operation, such as clients.create', 'operation'),
    credential_id: text('only requests with this API key, or under this grant', 'id'),
    ...timeRange('requests'),
  },
};
