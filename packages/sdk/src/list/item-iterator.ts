import type { PageWalk } from './page-walk.ts';

/**
 * Iterates over the items of a list. It is not an async generator, which would take three turns of the microtask queue
 * for each item of a page; this takes one. After an error, `next` requests the same page again.
 */
export class ItemIterator<T> implements AsyncIterableIterator<T, undefined> {
  readonly #walk: PageWalk<T>;
  #items: readonly T[] = [];
  #index = 0;
  #left: number;
  #advancing: Promise<unknown> | undefined;

  constructor(walk: PageWalk<T>, count = Number.POSITIVE_INFINITY) {
    this.#walk = walk;
    this.#left = count;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const again = () => this.next();
    if (this.#advancing) return this.#advancing.then(again, again);
    if (this.#left <= 0) return this.return();
    if (this.#index < this.#items.length) {
      try {
        // For the first item of a page, the page walk has already checked the signal.
        if (this.#index > 0) this.#walk.throwIfAborted(this.#items[this.#index - 1]);
      } catch (error) {
        return Promise.reject(error);
      }
      return Promise.resolve(this.#take());
    }
    const advancing = this.#advance();
    this.#advancing = advancing;
    return advancing;
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#left = 0;
    this.#items = [];
    this.#walk.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #advance(): Promise<IteratorResult<T, undefined>> {
    try {
      for (;;) {
        const page = await this.#walk.next();
        if (!page) return await this.return();
        if (page.data.length === 0) continue;
        this.#items = this.#walk.direction === 'next' ? page.data : page.data.toReversed();
        this.#index = 0;
        return this.#take();
      }
    } finally {
      this.#advancing = undefined;
    }
  }

  #take(): IteratorResult<T, undefined> {
    const items = this.#items;
    // Every path to this line has compared the index with the length.
    const value = items[this.#index++] as T;
    this.#left--;
    // The next page is requested half-way, so that a loop that ends after a few items does not cost an unused page.
    if (this.#index === (items.length + 1) >> 1 && this.#left > items.length - this.#index) this.#walk.readAhead();
    return { done: false, value };
  }
}
