/** The list envelope (specification, Resources). */
export interface List<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  /** Whether more follow in the direction of travel. */
  readonly has_more: boolean;
  /** The request path without its query. */
  readonly url: string;
}

/** Query parameters that every list takes. */
export interface ListParams {
  /** Page size, 1 to 100; 20 when absent. */
  readonly limit?: number;
  /** The id that the page starts behind: the next page, from the last id of this one. */
  readonly starting_after?: string;
  /** The id that the page ends before: the page before, from the first id of this one. */
  readonly ending_before?: string;
}

/** The answer to a DELETE. */
export interface Deleted<K extends string> {
  readonly object: K;
  readonly id: string;
  readonly deleted: true;
}
