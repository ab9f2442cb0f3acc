import type { Migration } from './columns.ts';

/** Facts about the database as a whole: that a production server has used it. */
export const installation: Migration = {
  name: '0017-installation',
  async up({ types: t, createTable }) {
    await createTable('installation', [
      `fact ${t.ascii(32)} NOT NULL`,
      `recorded_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (fact)',
    ]);
  },
};
