import { DEVELOPER_FAMILIES } from '@plat/contract';

// Families whose commands have other names.
const { me: _status, tokens: _logins, launch_tokens: _launch, ...families } = DEVELOPER_FAMILIES;

/** Summaries of the commands for developers: `plat login`, and those that need it. */
export const DEVELOPER_GROUPS = {
  login: 'Log in as a developer: approve a code on a page',
  logout: 'Log out',
  profile: 'Profiles: servers with their keys and logins, by name',
  auth: 'Current login, and all logins of the account',
  ...families,
  launch: 'Launch tokens: mint one in development, verify and decode it',
  oauth: 'Try the authorization of an app; introspect a token',
} as const;
