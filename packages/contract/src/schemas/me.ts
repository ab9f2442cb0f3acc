import { CREDENTIAL_TYPES } from '../objects/request.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { answer } from './objects.ts';
import type { Operations } from './operations.ts';
import { id } from './texts.ts';
import { always, array, oneOf } from './values.ts';

export const me = answer('Me', 'The credential of the call with its tenant, type and scopes.', {
  object: always('me'),
  tenant_id: id('tenant', 'Id of the tenant that the credential belongs to.'),
  credential_type: oneOf(
    null,
    CREDENTIAL_TYPES,
    'Type of the credential; `session` for a person who calls from the Explorer of the console.',
  ),
  scopes: array(oneOf('Scope', ALL_SCOPES, 'A scope.'), 'Scopes granted to the credential.', {
    example: ['clients:read'],
  }),
});

export const operations = {
  'me.get': {
    answer: 'Me',
    details: 'It requires no scope.',
  },
} as const satisfies Operations;
