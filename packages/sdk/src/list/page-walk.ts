import { AbortedError } from '../errors/connection-errors.ts';
import { cursorIn, fetchPage, type ListQuery, type ListSource, queryBeside, type RunningPage } from './list-source.ts';
import { type Direction, directionOf, type Page } from './page.ts';

/**
 * Loads the pages of a list in one direction, at most one page ahead. After an error the next step loads the same page
 * again.
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
   * Throws if the list is aborted, even if loaded items or pages are left.
   * @param last item that the caller received; absent if the caller received only whole pages
   * @throws {@link AbortedError} with the cursor at which a new list continues
   */
  throwIfAborted(last?: T): void {
    const { signal, cursorOf } = this.#source;
    if (!signal?.aborted) return;
    const error = new AbortedError('The list was aborted', { cause: signal.reason });
    error.cursor = last === undefined ? this.#cursorBehind() : cursorOf(last);
    throw error;
  }

  /** Returns the next page, or null at the end. */
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
      // The caller left the loop while the page was loading, so its result is discarded.
      if (this.#stopped) return null;
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  /** Starts to load the next page, unless it is already loading or `readAhead` is false. */
  readAhead(): void {
    if (!this.#source.readAhead || this.#running || this.#stopped) return;
    try {
      this.#running = this.#start();
    } catch {
      // The list is stalled. The next step detects that again and throws.
    }
    // The next step reports the error.
    this.#running?.page.catch(() => {});
  }

  /** Ends the iteration and cancels a page that is loading. */
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
