import type { List } from '@plat/contract';

/** `next` continues in the order of the list, newest first, and so to older objects. `previous` goes back. */
export type Direction = 'next' | 'previous';

/** Query and state from which a page was loaded. */
export interface PageOrigin {
  readonly query: Readonly<Record<string, unknown>>;
  /** Number of consecutive empty pages up to this one. */
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
  readonly #origin: PageOrigin;
  readonly #cursorOf: CursorOf<T>;
  readonly #fetchBeside: FetchBeside<T>;

  /** @internal */
  constructor(list: List<T>, origin: PageOrigin, cursorOf: CursorOf<T>, fetchBeside: FetchBeside<T>) {
    this.data = list.data;
    this.has_more = list.has_more;
    this.url = list.url;
    this.#origin = origin;
    this.#cursorOf = cursorOf;
    this.#fetchBeside = fetchBeside;
  }

  /**
   * Value of `ending_before` for the page before this one, usually the id of the first item; null for an empty page.
   */
  get startCursor(): string | null {
    return this.#cursorAt(0);
  }

  /** Value of `starting_after` for the page after this one, usually the id of the last item; null for an empty page. */
  get endCursor(): string | null {
    return this.#cursorAt(-1);
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

  #cursorAt(index: 0 | -1): string | null {
    const item = this.data.at(index);
    return item === undefined ? null : this.#cursorOf(item);
  }

  async #beside(direction: Direction): Promise<Page<T> | null> {
    const page = await this.#fetchBeside(this, direction);
    return page?.data.length === 0 && !page.has_more ? null : page;
  }
}
