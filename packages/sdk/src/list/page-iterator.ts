import type { Page } from './page.ts';
import type { PageWalk } from './page-walk.ts';

/** Iterates over the pages of a list. The next page is loaded while the caller processes the current one. */
export class PageIterator<T> implements AsyncIterableIterator<Page<T>, undefined> {
  readonly #walk: PageWalk<T>;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(walk: PageWalk<T>) {
    this.#walk = walk;
  }

  next(): Promise<IteratorResult<Page<T>, undefined>> {
    const step = this.#turn.then(
      () => this.#step(),
      () => this.#step(),
    );
    this.#turn = step;
    return step;
  }

  return(): Promise<IteratorResult<Page<T>, undefined>> {
    this.#walk.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #step(): Promise<IteratorResult<Page<T>, undefined>> {
    const page = await this.#walk.next();
    if (!page) return this.return();
    this.#walk.readAhead();
    return { done: false, value: page };
  }
}
