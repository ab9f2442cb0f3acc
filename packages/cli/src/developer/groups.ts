/** Summaries of the commands for developers: `plat login`, and those that need it. */
export const DEVELOPER_GROUPS = {
  login: 'Log in as a developer: approve a code on a page',
  logout: 'Log out',
  profile: 'Profiles: servers with their keys and logins, by name',
  auth: 'Current login, and all logins of the account',
  keys: "The sandbox's API key: mint, show, revoke",
  apps: 'OAuth apps: register, update, disable, delete, request verification',
  'apps.installations': 'Tenants that gave access to an app',
  'apps.webhooks': "An app's own webhooks: endpoints, events, deliveries, replays",
  'apps.webhooks.endpoints': 'Endpoints that receive the events of an app',
  'apps.webhooks.events': 'Events of an app: list, show, replay',
  'apps.webhooks.deliveries': 'Delivery attempts of an app',
  'apps.webhooks.replays': 'Jobs that send many events of an app again',
  sandbox: 'Show the sandbox, and reset it to its seeded content',
  consents: 'Consents of the sandbox: list and revoke',
  launch: 'Launch tokens: mint one in development, verify and decode it',
  oauth: 'Try the authorization of an app; introspect a token',
} as const;
