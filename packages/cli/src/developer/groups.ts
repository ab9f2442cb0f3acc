/** Summaries of the commands for developers: `plat login`, and those that need it. */
export const DEVELOPER_GROUPS = {
  login: 'Log in as a developer: a page shows a code, and you approve it',
  logout: 'End the login',
  profile: 'Profiles: servers with their keys and logins, by name',
  auth: 'Who is logged in; the logins of the account',
  keys: "The sandbox's API key: mint, show and revoke it",
  apps: 'OAuth apps: register, change, disable and delete them, have them reviewed',
  sandbox: 'Show the sandbox, and take it back to its seeded content',
  consents: 'What the sandbox consented to; end it',
  launch: 'Launch tokens: mint one in development, verify it, show what it says',
  oauth: 'Try the authorization of an app out, step by step; ask what a token is',
} as const;
