import type { Migration } from './columns.ts';

/** Last use of an API key. It is null for a key that was not used since this migration. */
export const lastUseOfKeys: Migration = {
  name: '0043-last-use-of-keys',
  async up({ types: t, addColumn }) {
    for (const table of ['api_keys', 'previous_api_keys', 'support_keys']) {
      await addColumn(table, `last_used_at ${t.instant} NULL`);
    }
  },
};
