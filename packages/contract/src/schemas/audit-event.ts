import { AUDIT_ACTOR_TYPES } from '../objects/audit-event.ts';
import { answer, created_at, inline, nullable, page, params, recordOf } from './objects.ts';
import type { Operations } from './operations.ts';
import { action, anyId, id, string, time } from './texts.ts';
import { always, anything, oneOf } from './values.ts';

export const auditChange = answer('AuditChange', 'The values of one field before and after a change.', {
  before: anything('Value before the change.'),
  after: anything('Value after the change.'),
});

export const auditEvent = answer('AuditEvent', 'A change with its actor and target.', {
  object: always('audit_event'),
  id: id('audit_event'),
  actor: inline('The actor that made the change.', {
    type: oneOf('AuditActorType', AUDIT_ACTOR_TYPES, 'Kind of the actor.'),
    id: nullable(anyId('Id of the actor; null for the operator and the system.', 'key_01k0z8k3v7e5q2m9t4r6w1x8c0')),
  }),
  action: action('Name of the action: the kind of object and a verb, such as `user.updated`.', 'user.updated'),
  target: inline('The changed object.', {
    type: string('Kind of the object.', 'user'),
    id: anyId('Id of the object. For an object without an id, the id of the tenant.'),
  }),
  changes: nullable(
    recordOf(
      auditChange,
      'Changed fields with their values before and after. Null if the action alone describes the change. Secrets are never included.',
      { name: { before: 'Ada', after: 'Ada Lovelace' } },
    ),
  ),
  request_id: nullable(id('request', 'Id of the request that made the change; null for the operator and the system.')),
  session_id: nullable(
    anyId(
      'Id of the sign-in of the person who made the change: a session of the console, or the login of a terminal. Null for other actors, and for sessions from before this field.',
      'ses_01k0z8k3v7e5q2m9t4r6w1x8c0',
    ),
  ),
  ip: nullable(string('IP address of the caller.', '203.0.113.7')),
  created_at,
});

export const auditEventList = params('AuditEventListParams', 'Filters and paging for the list of audit events.', {
  ...page,
  action: action('Only events of this action, such as `client.updated`.', 'user.updated'),
  actor_id: anyId('Only changes made by the API key, app, user or developer with this id.'),
  target_id: anyId('Only changes of the object with this id.'),
  session_id: anyId('Only changes made in the sign-in with this id.'),
  created_after: time('Only events created after this time.'),
  created_before: time('Only events created before this time.'),
});

export const operations = {
  'audit.events.list': {
    query: 'AuditEventListParams',
    answer: 'AuditEvent',
  },
  'audit.events.get': {
    answer: 'AuditEvent',
    errors: ['AUDIT_EVENT_NOT_FOUND'],
  },
} as const satisfies Operations;
