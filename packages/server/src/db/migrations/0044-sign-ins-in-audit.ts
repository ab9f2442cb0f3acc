import type { Migration } from './columns.ts';

/** The sign-in of a change, and the public id of a session (decision 074). */
export const signInsInAudit: Migration = {
  name: '0044-sign-ins-in-audit',
  async up({ types: t, addColumn, createIndex }) {
    await addColumn('sessions', `id ${t.id} NULL`);
    await addColumn('audit_events', `session_id ${t.id} NULL`);
    await createIndex('audit_events_session', 'audit_events', ['tenant_id', 'session_id', 'id']);
  },
};
