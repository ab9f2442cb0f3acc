/**
 * Stories that do not depend on the kind of database, by the reason. They run on SQLite only. Stories about transactions, races,
 * queues, cursors, indexes, collations, migrations and upgrades run on every kind.
 */
const BY_REASON: Readonly<Record<string, readonly string[]>> = {
  'a client program: its requests reach routes whose stories run on every kind': [
    'cli',
    'cli-dev',
    'cli-doctor',
    'cli-families',
    'cli-listen',
    'cli-login',
    'cli-oauth-tools',
    'cli-requests',
    'cli-trigger',
    'developer-login-browser',
    'example-many-tenants',
    'launch-interop',
    'oauth-interop',
    'sdk',
    'sdk-families',
    'sdk-oauth',
    'sdk-oauth-docs',
  ],
  'pages: functions of plain data; their services have stories of their families': [
    'console-access',
    'console-browser',
    'console-explorer',
    'console-tools-browser',
    'console-rooms',
    'console-sandbox',
    'launch-console',
    'sign-in-browser',
  ],
  'HTTP below the routes: bounds, headers, paths, limits in memory or in Redis': [
    'address-limits',
    'body-limits',
    'deprecation',
    'fuzz-routes',
    'log-destination',
    'malformed-paths',
    'nosniff',
    'openapi',
    'overload',
    'redis',
    'security-txt',
    'slow-readers',
  ],
  'receivers and outgoing connections': [
    'delivery-faults',
    'delivery-faults-addresses',
    'launch-verifier',
    'wake-channel',
    'webhook-amplification',
    'webhook-conformance',
    'webhooks-many-tenants',
  ],
  'measurements and logs of a process; tests of their queries run on every kind': [
    'logs',
    'metrics',
    'status',
    'traces',
  ],
  'tools of the development mode': ['deterministic', 'dev-cli', 'dev-faults', 'dev-guard', 'dev-tenants'],
  'operator commands and doors over services that have stories on every kind': [
    'audit-of-writes',
    'billing-systems',
    'console-trace',
    'clock-offset',
    'names',
    'operator-inspection',
    'oauth-server',
    'readiness',
    'secrets-everywhere',
    'tenant-deletion',
    'tenant-export',
  ],
};

/** The files of these stories, as patterns for Vitest. */
export const SQLITE_ONLY: readonly string[] = Object.values(BY_REASON)
  .flat()
  .map((name) => `tests/stories/${name}.test.ts`);
