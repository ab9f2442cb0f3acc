/** The claims of a launch token, an RS256 JWT (specification, Launch token claims). */
export interface LaunchTokenClaims {
  /** Issuer of the token. Receivers compare it exactly. */
  readonly iss: string;
  /** The registered audience of the module. */
  readonly aud: string;
  /** Time of issue in Unix seconds. */
  readonly iat: number;
  /** Expiry time in Unix seconds, typically 15 minutes after `iat`. */
  readonly exp: number;
  /** Random id of the token, for receivers that accept each token once. It extends the claims of the specification. */
  readonly jti?: string;
  /** Id of the tenant. */
  readonly tenant: string;
  /** Id of the client in the tenant. */
  readonly client: string;
  /** Id of the end user. */
  readonly user: string;
  /** Role of the user. */
  readonly role: string;
  /**
   * Sorted capability ids: the intersection of the entitlements of the tenant's plan, the client and the user's role.
   */
  readonly entitlements: readonly string[];
  /** Id of the selected group; absent if none is selected. */
  readonly groupId?: string;
  /** Every group that the user belongs to in the tenant. Absent if the list does not fit into the token. */
  readonly groupMemberships?: readonly LaunchTokenGroup[];
}

/** A group that the user of a launch token belongs to. */
export interface LaunchTokenGroup {
  /** Id of the group. */
  readonly id: string;
  /** Name of the group. */
  readonly name: string;
  /** True if the user is an active owner of the group. */
  readonly isOwner: boolean;
}

/** Form field with the launch token that a browser posts to the launch URL of a module. */
export const LAUNCH_TOKEN_FIELD = 'launch_token';
