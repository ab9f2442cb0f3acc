/** Names of the roles that every tenant has. These roles cannot be changed. */
export const BUILT_IN_ROLES = ['owner', 'member', 'viewer', 'client_admin'] as const;
/** Name of a built-in role. */
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/** Titles of the built-in roles. */
export const BUILT_IN_ROLE_TITLES: Readonly<Record<BuiltInRole, string>> = {
  owner: 'Owner',
  member: 'Member',
  viewer: 'Viewer',
  client_admin: 'Client administrator',
};
