/** Answer of the token endpoint of a device login, to the first poll after the approval. */
export interface DeviceTokenResponse {
  /** `plat_dv_…`: opens `/developer/v1` and nothing else. */
  readonly access_token: string;
  /** Always `Bearer`. */
  readonly token_type: 'Bearer';
  /** Seconds until it expires, if it is not used. */
  readonly expires_in: number;
}

/** Codes of a new device login (RFC 8628, section 3.2). */
export interface DeviceCodeResponse {
  /** The code that the program polls with. It is a secret. */
  readonly device_code: string;
  /** The code that the developer compares, or types: `BCDF-GHJK`. */
  readonly user_code: string;
  /** The page on which the developer types the code. */
  readonly verification_uri: string;
  /** The same page with the code filled in. */
  readonly verification_uri_complete: string;
  /** Seconds that both codes live. */
  readonly expires_in: number;
  /** Seconds to wait between two polls. */
  readonly interval: number;
}

/** Body of the request that begins a device login. */
export interface DeviceCodeParams {
  /** Shown to whoever approves: `plat on laptop`. */
  readonly client_name: string;
}

/** Body of a poll for the token of a device login. */
export interface DeviceTokenParams {
  /** The code of {@link DeviceCodeResponse}. */
  readonly device_code: string;
}
