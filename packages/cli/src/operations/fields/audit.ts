import { text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';
import { timeRange } from './time-range.ts';

export const AUDIT_FIELDS: FamilyFields<'audit.events'> = {
  'audit.events.list': {
    action: text('only this action, such as client.updated', 'action'),
    actor_id: text('only what this key, app, user or developer did', 'id'),
    target_id: text('only what was done to this object', 'id'),
    ...timeRange('events'),
  },
};
