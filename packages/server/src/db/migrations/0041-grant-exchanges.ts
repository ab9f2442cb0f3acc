import type { Migration } from './columns.ts';

/** The first and the latest exchanges of a grant: a list of bounded length (decision 056). */
export const grantExchanges: Migration = {
  name: '0041-grant-exchanges',
  async up({ types: t, addColumn }) {
    await addColumn('oauth_grants', `exchanges ${t.longText} NULL`);
  },
};
