/** The roles that every tenant has. They cannot be changed. */
export const BUILT_IN_ROLES = ['owner', 'member', 'viewer', 'client_admin'] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/** Their `title`. */
export const BUILT_IN_ROLE_TITLES: Readonly<Record<BuiltInRole, string>> = {
  owner: 'Owner',
  member: 'Member',
  viewer: 'Viewer',
  client_admin: 'Client administrator',
};

/** What a user is in the tenant, and which capabilities that shows. */
export interface Role {
  readonly object: 'role';
  readonly id: string;
  /** Unique in the tenant; what a user's `role` holds. It never changes. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  readonly description: string | null;
  readonly built_in: boolean;
  /** Ids of the capabilities that users in this role can see. */
  readonly capabilities: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RoleCreateParams {
  /** Lower-case letters, digits and single underscores, beginning with a letter. */
  readonly name: string;
  readonly title: string;
  readonly description?: string | null;
  /** Capabilities of the module catalog; none when absent. */
  readonly capabilities?: readonly string[];
}

export interface RoleUpdateParams {
  readonly title?: string;
  readonly description?: string | null;
  readonly capabilities?: readonly string[];
}
