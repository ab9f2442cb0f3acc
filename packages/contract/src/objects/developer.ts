import type { Scope } from '../scopes.ts';

/** The developer who is logged in, as `GET /developer/v1/me` tells it. */
export interface Developer {
  readonly object: 'developer';
  readonly id: string;
  readonly email: string;
  /** The sandbox tenant. */
  readonly tenant_id: string;
  readonly created_at: string;
  /** What the call came with. */
  readonly token: DeveloperToken;
}

/** A token of the developer API: one for each login of a command line. The token itself is never shown again. */
export interface DeveloperToken {
  readonly object: 'developer_token';
  readonly id: string;
  /** What it is for, as the program that asked for it said: `plat on laptop`. */
  readonly client_name: string;
  /** Address that asked for it. */
  readonly ip: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  /** Moves with each use, up to a year after the login. */
  readonly expires_at: string;
}

/** The sandbox of a developer. */
export interface Sandbox {
  readonly object: 'sandbox';
  readonly tenant_id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  /** Where its API is: what comes before `/v1`. */
  readonly base_url: string;
  readonly console_url: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The API key of a tenant, as it is known after it was shown. */
export interface ApiKey {
  readonly object: 'api_key';
  readonly id: string;
  readonly tenant_id: string;
  /** How it begins and ends, to tell it from others. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
}

/** The API key with its text: in the answer that mints it, and nowhere else. */
export interface ApiKeyWithSecret extends ApiKey {
  readonly api_key: string;
}

export interface ApiKeyMintParams {
  /** All scopes when absent. */
  readonly scopes?: readonly Scope[];
}

/** What the token endpoint of the device login answers with to the one poll that wins. */
export interface DeviceTokenResponse {
  /** `plat_dv_…`: opens `/developer/v1` and nothing else. */
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until it expires, if it is not used. */
  readonly expires_in: number;
}

/** What a device login begins with (RFC 8628, section 3.2). */
export interface DeviceCodeResponse {
  /** What the program polls with. A secret: nobody is shown it. */
  readonly device_code: string;
  /** What the developer compares, or types: `BCDF-GHJK`. */
  readonly user_code: string;
  readonly verification_uri: string;
  /** The same page with the code filled in. */
  readonly verification_uri_complete: string;
  /** Seconds that both codes live. */
  readonly expires_in: number;
  /** Seconds to wait between two polls. */
  readonly interval: number;
}

export interface DeviceCodeParams {
  /** Shown to whoever approves: `plat on laptop`. */
  readonly client_name: string;
}

export interface DeviceTokenParams {
  readonly device_code: string;
}
