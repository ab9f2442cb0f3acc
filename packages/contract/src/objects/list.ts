/** The list envelope (specification, Resources). */
export interface List<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  /** Whether more follow in the direction of travel. */
  readonly has_more: boolean;
  /** The request path without its query. */
  readonly url: string;
}

/** The answer to a DELETE. */
export interface Deleted<K extends string> {
  readonly object: K;
  readonly id: string;
  readonly deleted: true;
}
