/** A place of a client or of a group; one of `client_id` and `group_id` is set. */
export interface Location {
  readonly object: 'location';
  readonly id: string;
  readonly client_id: string | null;
  readonly group_id: string | null;
  readonly name: string;
  readonly address: string | null;
  /** IANA name, for example `Europe/Berlin`. */
  readonly timezone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Exactly one location of a client or group is its default. */
  readonly default: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface LocationCreateParams {
  readonly name: string;
  readonly country: string;
  /** `default_timezone` of the tenant's settings when absent. */
  readonly timezone?: string;
  readonly address?: string | null;
  /** true takes the flag from the location that has it. The first one has it in any case. */
  readonly default?: boolean;
}

export interface LocationUpdateParams {
  readonly name?: string;
  readonly country?: string;
  readonly timezone?: string;
  readonly address?: string | null;
  /** true takes the flag from the location that has it; the flag is never cleared, only moved. */
  readonly default?: boolean;
}
