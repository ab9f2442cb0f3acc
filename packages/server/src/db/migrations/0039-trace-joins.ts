import type { Migration } from './columns.ts';

/** The request and the object of an event, the origin of a replayed delivery, and the index of a request's changes (decision 055). */
export const traceJoins: Migration = {
  name: '0039-trace-joins',
  async up({ types: t, addColumn, createIndex }) {
    await addColumn('events', `request_id ${t.id} NULL`);
    await addColumn('events', `object_id ${t.id} NULL`);
    await addColumn('webhook_deliveries', `replayed_by ${t.id} NULL`);
    await createIndex('events_request', 'events', ['tenant_id', 'request_id', 'id']);
    await createIndex('events_object', 'events', ['tenant_id', 'object_id', 'id']);
    await createIndex('audit_events_request', 'audit_events', ['tenant_id', 'request_id', 'id']);
  },
};
