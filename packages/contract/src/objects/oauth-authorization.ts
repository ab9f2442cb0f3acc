import type { Scope } from '../scopes.ts';

/** `data` of oauth.app_authorized and oauth.app_revoked. */
export interface OAuthAuthorization {
  readonly object: 'oauth_authorization';
  readonly app_id: string;
  readonly app_name: string;
  readonly tenant_id: string;
  readonly scopes: readonly Scope[];
  /** Id of the user who gave the consent. */
  readonly granted_by: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}
