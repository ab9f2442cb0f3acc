/** Message of a server that is ready. */
export interface Ready {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tenantId: string;
}

/** Result of a housekeeping run. */
export interface Removed {
  readonly rows: number;
  readonly ms: number;
}
