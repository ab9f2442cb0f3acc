import type { Migration } from './columns.ts';

/** The master key with which a process encrypts. It is null for a process of an older version. */
export const masterKeysOfProcesses: Migration = {
  name: '0050-master-keys-of-processes',
  async up({ types: t, addColumn }) {
    await addColumn('processes', `master_key ${t.ascii(16)} NULL`);
  },
};
