import type { Migration } from './columns.ts';

/** Authorization codes are part of their grants since 0022. */
export const oauthCodes: Migration = {
  name: '0023-oauth-codes',
  async up({ run }) {
    await run('DROP TABLE IF EXISTS oauth_codes');
  },
};
