import { PAGE_LIMITS } from '@plat/contract';
import { type WithMeta, withMeta } from '../call/api-call.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { ItemIterator } from './item-iterator.ts';
import { fetchPage, type ListQuery, type ListSource, type RunningPage } from './list-source.ts';
import type { Page } from './page.ts';
import { PageIterator } from './page-iterator.ts';
import { PageWalk } from './page-walk.ts';

/**
 * An iterator of a list. `await using` ends it and cancels its request ahead, if the consumer's compiler has
 * `Symbol.asyncDispose`. A `lib` before ESNext has the symbol, through the types of Node, but not the member of iterators.
 */
export type ListIterator<T> = AsyncIterableIterator<T, undefined> & {
  readonly [Dispose in AsyncDisposeSymbol]: () => PromiseLike<void>;
};

type AsyncDisposeSymbol = SymbolConstructor extends { readonly asyncDispose: infer Found extends symbol }
  ? Found
  : never;

/** Items of a list. Each iteration starts again from the first page. */
export interface ListItems<T> extends AsyncIterable<T> {
  /** Iterates over the objects of all pages. */
  [Symbol.asyncIterator](): ListIterator<T>;
  /** Returns all items as an array. */
  toArray(): Promise<T[]>;
}

/**
 * A list. Await it for its first page, or iterate over it for all its items. No request is sent before that.
 *
 * Items are ordered newest first. With `ending_before` the iteration runs in the other direction: from that object to
 * newer ones. Iteration requests pages of 100 items unless the parameters have a `limit`; a page or `pages()` has the
 * default size of 20. The next page is requested when half of the current one is read; leaving the loop cancels that
 * request. After an error, continue with a new list from its `cursor`, or call `next()` of the same iterator again.
 *
 * @example
 * ```ts
 * const page = await platform.clients.list({ limit: 50 });
 * for await (const client of platform.clients.list({ status: 'active' })) console.log(client.name);
 * const newest = await platform.clients.list().take(5).toArray();
 * ```
 */
export class ListCall<T> implements Promise<Page<T>>, AsyncIterable<T> {
  /** Name in `Object.prototype.toString`. */
  readonly [Symbol.toStringTag] = 'ListCall';
  readonly #source: ListSource<T>;
  #first: RunningPage<T> | undefined;

  /** @internal */
  constructor(source: ListSource<T>) {
    this.#source = source;
  }

  /** Returns the first page with its request id, status, headers, rate limit and number of attempts. */
  async withMeta(): Promise<WithMeta<Page<T>>> {
    const first = this.#start();
    const page = await first.page;
    const { response, attempts } = await first.reply;
    return withMeta(page, response, attempts);
  }

  /** Iterates over all items. */
  [Symbol.asyncIterator](): ListIterator<T> {
    return new ItemIterator(this.#walkItems(PAGE_LIMITS.max));
  }

  /** Returns an iterator over the pages. */
  pages(): ListIterator<Page<T>> {
    return new PageIterator(new PageWalk(this.#source));
  }

  /**
   * Returns the first `count` items. It requests only the pages that they need.
   * @throws {@link InvalidArgumentError} unless `count` is a whole number, 0 or above
   */
  take(count: number): ListItems<T> {
    const checked = checkCount('count', count);
    return {
      [Symbol.asyncIterator]: () => new ItemIterator(this.#walkItems(checked), checked),
      toArray: () => this.toArray({ max: checked }),
    };
  }

  /**
   * Returns the items in an array, at most `max`. Without `max` it loads all items of the list.
   * @throws {@link InvalidArgumentError} unless `max` is a whole number, 0 or above
   */
  async toArray(options: { readonly max?: number | undefined } = {}): Promise<T[]> {
    const max = options.max === undefined ? Number.POSITIVE_INFINITY : checkCount('max', options.max);
    const items: T[] = [];
    if (max === 0) return items;
    const walk = this.#walkItems(max);
    for (let page = await walk.next(); page; page = await walk.next()) {
      const left = max - items.length;
      const data = walk.direction === 'next' ? page.data : page.data.toReversed();
      for (const item of data.length > left ? data.slice(0, left) : data) items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  // biome-ignore lint/suspicious/noThenProperty: the class is a promise
  then<A = Page<T>, B = never>(
    onfulfilled?: ((value: Page<T>) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#start().page.then(onfulfilled, onrejected);
  }

  catch<B = never>(onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page<T> | B> {
    return this.then(undefined, onrejected);
  }

  finally(onfinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onfinally);
  }

  #start(): RunningPage<T> {
    this.#first ??= fetchPage(this.#source, this.#source.query);
    return this.#first;
  }

  #walkItems(count: number): PageWalk<T> {
    return new PageWalk(this.#source, withPageSize(this.#source.query, count));
  }
}

/**
 * Sets the page size so that as few pages as possible are loaded, without excess items. A `limit` of the caller is an
 * upper bound.
 */
function withPageSize(query: ListQuery, count: number): ListQuery {
  const { limit } = query;
  if (limit !== undefined && typeof limit !== 'number') return query;
  const size = Math.min(limit ?? PAGE_LIMITS.max, Math.max(1, count));
  return size === limit ? query : { ...query, limit: size };
}

function checkCount(argument: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError(argument, 'must be a whole number, 0 or above');
}
