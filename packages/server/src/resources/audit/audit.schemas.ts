import { AUDIT_ACTOR_TYPES, type AuditChange, type AuditEvent, type AuditEventListParams } from '@plat/contract';
import {
  anyId,
  anything,
  describe,
  dottedVerb,
  id,
  listFields,
  nullable,
  object,
  oneOf,
  optional,
  recordOf,
  string,
  timestamp,
} from '../../http/rules.ts';

const change = object<AuditChange>({
  before: describe(anything(), 'The value before.'),
  after: describe(anything(), 'The value from then on.'),
});

export const auditEvent = describe(
  object<AuditEvent>('AuditEvent', {
    object: oneOf(['audit_event']),
    id: id('audit_event'),
    actor: describe(
      object<AuditEvent['actor']>({
        type: describe(oneOf(AUDIT_ACTOR_TYPES), 'What kind of actor it was.'),
        id: describe(nullable(anyId()), 'Null for the operator and the system.', 'key_01k0z8k3v7e5q2m9t4r6w1x8c0'),
      }),
      'Who changed it.',
    ),
    action: describe(dottedVerb(), 'What was done.', 'user.updated'),
    target: describe(
      object<AuditEvent['target']>({
        type: describe(string(), 'What kind of object it is.', 'user'),
        id: describe(anyId(), 'The id of the object; of the tenant for what has none.'),
      }),
      'What was changed.',
    ),
    changes: describe(
      nullable(recordOf(change)),
      'Field → its value before and after; null where the action says it all. Never holds a secret.',
      { name: { before: 'Ada', after: 'Ada Lovelace' } },
    ),
    request_id: describe(nullable(id('request')), 'The request that made the change.'),
    ip: describe(nullable(string()), 'The address that the request came from.', '203.0.113.7'),
    created_at: timestamp(),
  }),
  'What was changed, by whom.',
);

export const auditEventList = object<AuditEventListParams>({
  ...listFields,
  action: optional(describe(dottedVerb(), 'Only events of this action.', 'user.updated')),
  actor_id: optional(describe(anyId(), 'Only changes by this key, app, user or developer.')),
  target_id: optional(describe(anyId(), 'Only changes of this object.')),
  created_after: optional(describe(timestamp(), 'Only events created after this instant.')),
  created_before: optional(describe(timestamp(), 'Only events created before this instant.')),
});
