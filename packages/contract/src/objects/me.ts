import type { Scope } from '../scopes.ts';

/** What `GET /v1/me` says of the credential. */
export interface Me {
  readonly object: 'me';
  readonly tenant_id: string;
  readonly credential_type: 'api_key' | 'oauth_token';
  readonly scopes: readonly Scope[];
}
