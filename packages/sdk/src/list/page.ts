import type { List } from '@plat/contract';

/** `next` continues in the order of the list, newest first, and so to older objects. `previous` goes back. */
export type Direction = 'next' | 'previous';

/** Returns the direction of a query: backwards only if it has just `ending_before`. */
export function directionOf(query: PageOrigin['query']): Direction {
  return query['ending_before'] !== undefined && query['starting_after'] === undefined ? 'previous' : 'next';
}

/** Query and state from which a page was loaded. */
export interface PageOrigin {
  readonly query: Readonly<Record<string, unknown>>;
  /** Number of consecutive empty pages without `next_cursor` up to this one. */
  readonly emptyRun: number;
}

/** Returns the value of `starting_after` and `ending_before` for an item; null if it has none. */
export type CursorOf<T> = (item: T) => string | null;

/** Loads the page adjacent to a page. */
export type FetchBeside<T> = (page: Page<T>, direction: Direction) => Promise<Page<T>> | null;

/** One page of a list. */
export class Page<T> implements List<T> {
  /** Always `list`. */
  readonly object = 'list';
  /** The objects of the page, newest first. */
  readonly data: readonly T[];
  /**
   * True if more objects follow in the direction of the cursor: backwards for a page requested with `ending_before`.
   */
  readonly has_more: boolean;
  readonly url: string;
  /**
   * Cursor at which the list continues. Present only if the service examined its maximum number of objects for the
   * filters: the page is then shorter than its limit, and can be empty.
   */
  declare readonly next_cursor?: string;
  readonly #origin: PageOrigin;
  readonly #cursorOf: CursorOf<T>;
  readonly #fetchBeside: FetchBeside<T>;

  /** @internal */
  constructor(list: List<T>, origin: PageOrigin, cursorOf: CursorOf<T>, fetchBeside: FetchBeside<T>) {
    this.data = list.data;
    this.has_more = list.has_more;
    this.url = list.url;
    if (list.next_cursor !== undefined) this.next_cursor = list.next_cursor;
    this.#origin = origin;
    this.#cursorOf = cursorOf;
    this.#fetchBeside = fetchBeside;
  }

  /**
   * Value of `ending_before` for the page before this one, usually the id of the first item; null for an empty page
   * without `next_cursor`.
   */
  get startCursor(): string | null {
    return this.#cursorAt('previous');
  }

  /**
   * Value of `starting_after` for the page after this one, usually the id of the last item; null for an empty page
   * without `next_cursor`.
   */
  get endCursor(): string | null {
    return this.#cursorAt('next');
  }

  /** @internal */
  get origin(): PageOrigin {
    return this.#origin;
  }

  /** Loads the page after this one; null at the end of the list. */
  nextPage(): Promise<Page<T> | null> {
    return this.#beside('next');
  }

  /** Loads the page before this one; null at the start of the list. */
  previousPage(): Promise<Page<T> | null> {
    return this.#beside('previous');
  }

  #cursorAt(direction: Direction): string | null {
    if (this.next_cursor !== undefined && direction === directionOf(this.#origin.query)) return this.next_cursor;
    const item = this.data.at(direction === 'next' ? -1 : 0);
    return item === undefined ? null : this.#cursorOf(item);
  }

  async #beside(direction: Direction): Promise<Page<T> | null> {
    const page = await this.#fetchBeside(this, direction);
    return page?.data.length === 0 && !page.has_more ? null : page;
  }
}
