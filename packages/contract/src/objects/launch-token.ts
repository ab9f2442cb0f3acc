/** The claims of a launch token, an RS256 JWT (specification, Launch token claims). */
export interface LaunchTokenClaims {
  /** The issuer, compared exactly. */
  readonly iss: string;
  /** The registered audience of the module. */
  readonly aud: string;
  /** Unix seconds. */
  readonly iat: number;
  /** Unix seconds; typically 15 minutes after `iat`. */
  readonly exp: number;
  /** Random id of this token, for receivers that take each token once. The specification's table does not have it. */
  readonly jti?: string;
  /** Tenant id. */
  readonly tenant: string;
  /** Client id inside the tenant. */
  readonly client: string;
  /** End user id. */
  readonly user: string;
  /** Name of the user's role. */
  readonly role: string;
  /** Capability ids, sorted: what the tenant's plan, the client and the user's role all have. */
  readonly entitlements: readonly string[];
  /** The group that is selected. */
  readonly groupId?: string;
  /** Every group the user belongs to in the tenant. Absent when the list would not fit into the token. */
  readonly groupMemberships?: readonly LaunchTokenGroup[];
}

/** A group that the user of a launch token belongs to. */
export interface LaunchTokenGroup {
  /** Id of the group. */
  readonly id: string;
  /** Name of the group. */
  readonly name: string;
  /** The user is an active owner of the group. */
  readonly isOwner: boolean;
}

/** The form field that a browser posts a launch token to a module's launch URL in. */
export const LAUNCH_TOKEN_FIELD = 'launch_token';
