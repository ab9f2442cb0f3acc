/** A group of the navigation, with its pages in their order: paths of Markdown files, or addresses of generated pages. */
export interface Group {
  readonly title: string;
  readonly pages: readonly string[];
}

/** The navigation. A Markdown file that no group names is shown too: below its folder, or in the last group. */
export const CONTENTS: readonly Group[] = [
  {
    title: 'Start',
    pages: ['docs/README.md', 'docs/getting-started.md', 'docs/quickstarts/', 'docs/going-live.md', 'README.md'],
  },
  {
    title: 'Receive webhooks',
    pages: ['docs/webhooks.md', 'docs/sql-stores.md', 'docs/app-webhooks.md', 'docs/cli-listen.md', 'docs/trace.md'],
  },
  {
    title: 'Build an app',
    pages: [
      'docs/oauth.md',
      'docs/acting-for-many-tenants.md',
      'docs/launch-tokens.md',
      'docs/testing-your-integration.md',
    ],
  },
  {
    title: 'Use the API',
    pages: [
      'docs/clients-and-locations.md',
      'docs/groups.md',
      'docs/users-and-roles.md',
      'docs/pagination.md',
      'docs/idempotency.md',
      'docs/rate-limits.md',
      'docs/errors.md',
      'docs/api-changes.md',
    ],
  },
  { title: 'API reference', pages: ['reference/'] },
  { title: 'Libraries', pages: ['docs/api/', 'packages/', 'examples/'] },
  {
    title: 'Command line and console',
    pages: ['docs/cli-login.md', 'docs/cli-session.md', 'docs/cli/', 'docs/console.md'],
  },
  {
    title: 'Operate a server',
    pages: [
      'docs/operating.md',
      'docs/scaling.md',
      'docs/upgrading.md',
      'docs/backup.md',
      'docs/security.md',
      'docs/observability.md',
      'docs/metrics.md',
      'docs/reliability.md',
      'docs/windows.md',
    ],
  },
  {
    title: 'About the project',
    pages: [
      'changelog/',
      'docs/glossary.md',
      'docs/specification-choices.md',
      'ARCHITECTURE.md',
      'docs/decisions/',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'docs/releasing.md',
    ],
  },
];
