/** What a tenant has set. It has no id: there is one for each tenant. */
export interface Settings {
  readonly object: 'settings';
  readonly tenant_id: string;
  /** IANA name; the time zone of a location that is made without one. */
  readonly default_timezone: string;
  /** BCP 47 language tag, for example `en` or `de-CH`. */
  readonly default_locale: string;
  readonly support_email: string | null;
  /** How long a launch token lives, 60 to 3,600. */
  readonly launch_token_ttl_seconds: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SettingsUpdateParams {
  readonly default_timezone?: string;
  readonly default_locale?: string;
  readonly support_email?: string | null;
  readonly launch_token_ttl_seconds?: number;
}
