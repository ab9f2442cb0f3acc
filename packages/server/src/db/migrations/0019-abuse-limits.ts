import type { Migration } from './columns.ts';

/**
 * An index for each filter of the request log, in the order of its pages. The pace of a command line that polls is in memory,
 * so that a poll without a credential writes nothing.
 */
export const abuseLimits: Migration = {
  name: '0019-abuse-limits',
  async up({ createIndex, dropColumn }) {
    for (const filter of ['outcome', 'code', 'method', 'operation', 'credential_id']) {
      await createIndex(`requests_${filter}`, 'requests', ['tenant_id', filter, 'id']);
    }
    for (const column of ['poll_seconds', 'polled_at']) await dropColumn('device_logins', column);
  },
};
