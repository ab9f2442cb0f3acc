/** The list envelope (specification, Resources). */
export interface List<T> {
  /** Always `list`. */
  readonly object: 'list';
  /** The objects of the page, newest first. */
  readonly data: readonly T[];
  /** True if more objects follow in the direction of the cursor. */
  readonly has_more: boolean;
  /**
   * Cursor at which the list continues, for `starting_after`, or for `ending_before` if the request had that. Present
   * only if the server examined its maximum number of objects for the filters: the page is then shorter than its
   * limit, and can be empty.
   */
  readonly next_cursor?: string;
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
