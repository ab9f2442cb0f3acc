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
  readonly default: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}
