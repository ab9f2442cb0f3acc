/** The list envelope (specification, Resources). */
export interface List<T> {
  /** Always `list`. */
  readonly object: 'list';
  /** The objects of the page, newest first. */
  readonly data: readonly T[];
  /** true when more objects follow in the direction of travel. */
  readonly has_more: boolean;
  /** The request path without its query. */
  readonly url: string;
}

/** The answer to a DELETE. */
export interface Deleted<K extends string> {
  /** Kind of the deleted object. */
  readonly object: K;
  /** Id of the deleted object. */
  readonly id: string;
  /** Always `true`. */
  readonly deleted: true;
}
