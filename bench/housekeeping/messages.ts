/** What the server says when it is ready. */
export interface Ready {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tenantId: string;
}

/** What became of a removal. */
export interface Removed {
  readonly rows: number;
  readonly ms: number;
}
