import { AUDIT_ACTOR_TYPES } from '../objects/audit-event.ts';
import { answer, created_at, inline, nullable, page, params, recordOf } from './objects.ts';
import { action, anyId, id, string, time } from './texts.ts';
import { always, anything, oneOf } from './values.ts';

export const auditChange = answer('AuditChange', 'Values of a field as the API shows them.', {
  before: anything('The value before.'),
  after: anything('The value from then on.'),
});

export const auditEvent = answer('AuditEvent', 'A change, and who made it.', {
  object: always('audit_event'),
  id: id('audit_event'),
  actor: inline('Who made the change.', {
    type: oneOf('AuditActorType', AUDIT_ACTOR_TYPES, 'Kind of the actor.'),
    id: nullable(anyId('Null for the operator and the system.', 'key_01k0z8k3v7e5q2m9t4r6w1x8c0')),
  }),
  action: action('The action, a dotted verb.', 'user.updated'),
  target: inline('The changed object.', {
    type: string('Kind of the object.', 'user'),
    id: anyId('The id of the object; the id of the tenant for an object without one.'),
  }),
  changes: nullable(
    recordOf(
      auditChange,
      'Field → its value before and after; null where the action says it all. Never holds a secret.',
      { name: { before: 'Ada', after: 'Ada Lovelace' } },
    ),
  ),
  request_id: nullable(id('request', 'The request that made the change; null for the operator and the system.')),
  ip: nullable(string('The address that the request came from.', '203.0.113.7')),
  created_at,
});

export const auditEventList = params('AuditEventListParams', 'Which audit events to list.', {
  ...page,
  action: action('Only events of this action, such as `client.updated`.', 'user.updated'),
  actor_id: anyId('Only changes by this key, app, user or developer.'),
  target_id: anyId('Only changes of this object.'),
  created_after: time('Only events created after this instant.'),
  created_before: time('Only events created before this instant.'),
});
