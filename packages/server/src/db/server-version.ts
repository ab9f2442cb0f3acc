const OLDEST = { mysql: [8, 0], mariadb: [10, 6] } as const;

/** Kind of a database server, from its version string. */
export interface ServerVersion {
  readonly kind: 'mysql' | 'mariadb';
  /** True if the server has the required version. */
  readonly isSupported: boolean;
}

/** The required versions, for messages to the operator. */
export const NEEDED = `MySQL ${OLDEST.mysql.join('.')} or MariaDB ${OLDEST.mariadb.join('.')} or newer`;

export function parseServerVersion(version: string): ServerVersion {
  const kind = /mariadb/i.test(version) ? 'mariadb' : 'mysql';
  // MariaDB with a replication prefix reports 5.5.5-10.11.6-MariaDB.
  const [major = 0, minor = 0] = version
    .replace(/^5\.5\.5-/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  const [oldestMajor, oldestMinor] = OLDEST[kind];
  return { kind, isSupported: major > oldestMajor || (major === oldestMajor && minor >= oldestMinor) };
}
