import type { Migration } from './columns.ts';

/** The trace of the change that made an event, which its deliveries continue. */
export const eventTraces: Migration = {
  name: '0032-event-traces',
  async up({ types: t, addColumn }) {
    await addColumn('events', `traceparent ${t.ascii(55)} NULL`);
  },
};
