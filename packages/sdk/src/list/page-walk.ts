import {
  cursorIn,
  directionOf,
  fetchPage,
  type ListQuery,
  type ListSource,
  queryBeside,
  type RunningPage,
  throwIfAborted,
} from './list-source.ts';
import type { Direction, Page } from './page.ts';

/**
 * Walks the pages of a list in one direction, at most one page ahead. After an error the next step asks for the same
 * page again.
 */
export class PageWalk<T> {
  readonly direction: Direction;
  readonly #source: ListSource<T>;
  readonly #firstQuery: ListQuery;
  #page: Page<T> | undefined;
  #running: RunningPage<T> | undefined;
  #stopped = false;

  constructor(source: ListSource<T>, firstQuery: ListQuery = source.query) {
    this.#source = source;
    this.#firstQuery = firstQuery;
    this.direction = directionOf(firstQuery);
  }

  /**
   * Ends the walk of an aborted list, also when items or pages are left that have arrived.
   *
   * @param last the last item that the caller was given; absent when it was given whole pages only
   * @throws {@link AbortedError} with the cursor at which a new list goes on
   */
  throwIfAborted(last?: T): void {
    const { cursorOf } = this.#source;
    throwIfAborted(this.#source, last === undefined ? this.#cursorBehind() : cursorOf(last));
  }

  /** The next page, or null at the end. */
  async next(): Promise<Page<T> | null> {
    if (this.#stopped) return null;
    this.throwIfAborted();
    const running = this.#running ?? this.#start();
    this.#running = running;
    if (!running) return null;
    try {
      const page = await running.page;
      this.throwIfAborted();
      this.#page = page;
      return page;
    } catch (error) {
      // Whoever left the loop while a page was on its way does not hear of its end.
      if (this.#stopped) return null;
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  /** Asks for the page after the last one already, unless the list is to be read without, or it is on its way. */
  readAhead(): void {
    if (!this.#source.readAhead || this.#running || this.#stopped) return;
    try {
      this.#running = this.#start();
    } catch {
      // A stalled list: the next step comes to the same end and says so.
    }
    // Its error belongs to whoever takes that step.
    this.#running?.page.catch(() => {});
  }

  /** Ends the walk and whatever it was waiting for. */
  stop(): void {
    this.#stopped = true;
    this.#running?.page.catch(() => {});
    this.#running?.abandon();
    this.#running = undefined;
  }

  #cursorBehind(): string | null {
    const beside = this.direction === 'next' ? this.#page?.endCursor : this.#page?.startCursor;
    return beside ?? cursorIn(this.#page?.origin.query ?? this.#firstQuery);
  }

  #start(): RunningPage<T> | undefined {
    const query = this.#page ? queryBeside(this.#page, this.direction) : this.#firstQuery;
    return query ? fetchPage(this.#source, query, this.#page?.origin.emptyRun) : undefined;
  }
}
