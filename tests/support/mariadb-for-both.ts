/**
 * Stories that run on SQLite and MariaDB, but not on MySQL, by the reason. What differs between MariaDB and MySQL is the SQL that they
 * accept, so a MySQL server prepares every statement of these stories (setup/prepare-on-mysql.ts). What else differs has stories on
 * both: locks, races, crashes, lost connections, collations, indexes, migrations.
 */
const BY_REASON: Readonly<Record<string, readonly string[]>> = {
  'our processes are killed, not the server: InnoDB of both rolls back in the same way. crash, workers and housekeeping kill on both':
    ['drain', 'oauth-crash', 'replays-crash', 'tenant-kills'],
  'the same seed makes the same requests on each; users, roles, groups and list-filters (collations) run on both': [
    'fuzz',
  ],
  'rules of objects and of access; clients, groups, users, pagination and the stories of two processes run on both': [
    'events',
    'isolation',
    'locations',
  ],
  'rules of consents and tokens; oauth-races, indexes-oauth and idempotency-takeover run on both': [
    'app-refusals',
    'developer-api',
    'developer-login',
    'installations',
    'oauth-apps',
    'oauth-authorize',
    'oauth-grants',
    'oauth-introspect-revoke',
    'oauth-owners',
    'oauth-token',
    'sign-in',
    'sign-in-address',
  ],
  'rules of events, deliveries and replays; app-webhooks-processes, workers, crash and indexes-replays run on both': [
    'app-webhooks',
    'replays',
  ],
  'claims of tokens, and operator commands about them; launch-keys runs on both': ['launch-tokens'],
  'rules of sandboxes; sandbox-races and quotas run on both': ['sandbox'],
  'pages and logs of requests; indexes-requests, indexes-trace and housekeeping run on both': [
    'console-live',
    'request-log-rows',
    'requests',
    'trace',
  ],
  'limits by address and recipient; mail and two-processes-users run on both': ['mail-limits'],
};

/** The files of these stories, as patterns for Vitest. */
export const MARIADB_FOR_BOTH: readonly string[] = Object.values(BY_REASON)
  .flat()
  .map((name) => `tests/stories/${name}.test.ts`);
