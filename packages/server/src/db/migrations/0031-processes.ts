import type { Migration } from './columns.ts';

/** The servers and workers that are running, for the operator. */
export const processes: Migration = {
  name: '0031-processes',
  async up({ types: t, createIndex, createTable }) {
    await createTable('processes', [
      `id ${t.ascii(64)} NOT NULL`,
      `kind ${t.ascii(16)} NOT NULL`,
      `host ${t.ascii(64)} NOT NULL`,
      `pid ${t.integer} NOT NULL`,
      `version ${t.ascii(64)} NOT NULL`,
      `commit_id ${t.ascii(64)} NULL`,
      `clock_offset_ms ${t.instant} NOT NULL`,
      `started_at ${t.instant} NOT NULL`,
      `seen_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('processes_seen', 'processes', ['seen_at']);
  },
};
