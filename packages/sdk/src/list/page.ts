import type { List } from '@plat/contract';

/** `next` goes on in the order of the list, newest first, so to older objects; `previous` goes back. */
export type Direction = 'next' | 'previous';

/** How a page came to be. */
export interface PageOrigin {
  readonly query: Readonly<Record<string, unknown>>;
  /** Empty pages in a row up to this one. */
  readonly emptyRun: number;
}

/** The value that `starting_after` and `ending_before` take for an item; null for one that has none. */
export type CursorOf<T> = (item: T) => string | null;

/** Asks for the page beside one. */
export type FetchBeside<T> = (page: Page<T>, direction: Direction) => Promise<Page<T>> | null;

/** One page of a list. */
export class Page<T> implements List<T> {
  /** Always `list`. */
  readonly object = 'list';
  /** The objects of the page, newest first. */
  readonly data: readonly T[];
  /** Whether more follow in the direction of travel: backwards for a page asked for with `ending_before`. */
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

  /** What `ending_before` takes for the page before this one, mostly the first item's id; null for an empty page. */
  get startCursor(): string | null {
    return this.#cursorAt(0);
  }

  /** What `starting_after` takes for the page after this one, mostly the last item's id; null for an empty page. */
  get endCursor(): string | null {
    return this.#cursorAt(-1);
  }

  /** @internal */
  get origin(): PageOrigin {
    return this.#origin;
  }

  /** The page after this one; null at the end of the list. */
  nextPage(): Promise<Page<T> | null> {
    return this.#beside('next');
  }

  /** The page before this one; null at the start of the list. */
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
