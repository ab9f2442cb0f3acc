import type { Migration } from './columns.ts';

/**
 * An index for each filter of the request log, and for the pairs that match many rows each, in the order of its pages.
 * Removes the columns for the pace of polls: it is in memory now, so that a poll without a credential writes nothing.
 */
export const abuseLimits: Migration = {
  name: '0019-abuse-limits',
  async up({ createIndex, dropColumn }) {
    for (const filters of [
      ['outcome'],
      ['code'],
      ['method'],
      ['operation'],
      ['credential_id'],
      ['operation', 'outcome'],
      ['method', 'outcome'],
      ['credential_id', 'outcome'],
    ]) {
      await createIndex(`requests_${filters.join('_')}`, 'requests', ['tenant_id', ...filters, 'id']);
    }
    for (const column of ['poll_seconds', 'polled_at']) await dropColumn('device_logins', column);
  },
};
