/** The list envelope (specification, Resources). */
export interface List<T> {
  /** Always `list`. */
  readonly object: 'list';
  /** The objects of the page, newest first. */
  readonly data: readonly T[];
  /** True if more objects follow in the direction of the cursor. */
  readonly has_more: boolean;
  /** Path of the request without its query. */
  readonly url: string;
}

/** The response to a DELETE request. */
export interface Deleted<K extends string> {
  /** Kind of the deleted object. */
  readonly object: K;
  /** Id of the deleted object. */
  readonly id: string;
  /** Always `true`. */
  readonly deleted: true;
}
