import {
  directionOf,
  fetchPage,
  type ListQuery,
  type ListSource,
  queryBeside,
  type RunningPage,
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

  /** The next page, or null at the end. */
  async next(): Promise<Page<T> | null> {
    if (this.#stopped) return null;
    const running = this.#running ?? this.#start();
    this.#running = running;
    if (!running) return null;
    try {
      this.#page = await running.page;
      return this.#page;
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

  #start(): RunningPage<T> | undefined {
    const query = this.#page ? queryBeside(this.#page, this.direction) : this.#firstQuery;
    return query ? fetchPage(this.#source, query, this.#page?.origin.emptyRun) : undefined;
  }
}
