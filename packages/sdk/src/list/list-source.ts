import type { List } from '@plat/contract';
import type { Reply } from '../call/execute.ts';
import type { RunningCall } from '../call/running-call.ts';
import { AbortedError } from '../errors/connection-errors.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { ListStalledError } from '../errors/usage-errors.ts';
import { type CursorOf, type Direction, Page } from './page.ts';

/** Query parameters of a list. */
export type ListQuery = Readonly<Record<string, unknown>>;

/** Where the pages of one list come from. */
export interface ListSource<T> {
  /** As the caller gave them. */
  readonly query: ListQuery;
  readonly cursorOf: CursorOf<T>;
  readonly readAhead: boolean;
  /** As the caller gave it. `send` refuses other values than signals. */
  readonly signal: { readonly aborted?: unknown; readonly reason?: unknown } | null | undefined;
  readonly send: (query: ListQuery) => RunningCall;
}

/** A page on its way. */
export interface RunningPage<T> {
  readonly page: Promise<Page<T>>;
  readonly reply: Promise<Reply>;
  abandon(): void;
}

/** Empty pages in a row, each with `has_more`, after which a list counts as stalled. */
const MAX_EMPTY_PAGES = 10;

/** The way that a query goes through the list: back only when it names where to end. */
export function directionOf(query: ListQuery): Direction {
  return query['ending_before'] !== undefined && query['starting_after'] === undefined ? 'previous' : 'next';
}

/** Asks for a page. An error says by its `cursor` which page it was. */
export function fetchPage<T>(source: ListSource<T>, query: ListQuery, emptyBefore = 0): RunningPage<T> {
  const call = source.send(query);
  const page = call.reply.then(
    (reply) => pageOf(source, query, reply, emptyBefore),
    (error) => {
      if (error instanceof PlatformError) error.cursor = cursorIn(query);
      throw error;
    },
  );
  return { page, reply: call.reply, abandon: call.abandon };
}

/**
 * The query of the page beside `page`; null when the service said that there is none.
 * @throws {@link ListStalledError} when going on would never end
 */
export function queryBeside<T>(page: Page<T>, direction: Direction): ListQuery | null {
  const { query } = page.origin;
  const travelling = direction === directionOf(query);
  if (travelling && !page.has_more) return null;
  const before = cursorIn(query);
  // An empty page moves nothing: the same question again, as rows that a filter skipped may be behind it.
  const cursor = (direction === 'next' ? page.endCursor : page.startCursor) ?? before;
  if (travelling && (page.origin.emptyRun > MAX_EMPTY_PAGES || (page.data.length > 0 && cursor === before))) {
    const error = new ListStalledError(
      'The list makes no progress: it answers the same page, or empty pages, for ever',
    );
    error.cursor = before;
    throw error;
  }
  const { starting_after: _after, ending_before: _before, ...rest } = query;
  if (cursor === null) return travelling ? rest : null;
  return { ...rest, [direction === 'next' ? 'starting_after' : 'ending_before']: cursor };
}

/**
 * Ends a list whose signal was aborted, also when items or pages are left that have arrived.
 *
 * @param cursor where a new list goes on
 * @throws {@link AbortedError}
 */
export function throwIfAborted<T>({ signal }: ListSource<T>, cursor: string | null): void {
  if (!signal?.aborted) return;
  const error = new AbortedError('The list was aborted', { cause: signal.reason });
  error.cursor = cursor;
  throw error;
}

function pageOf<T>(source: ListSource<T>, query: ListQuery, reply: Reply, emptyBefore: number): Page<T> {
  // The answer was checked to be a page; what its items are, the contract says.
  const list = reply.data as List<T>;
  const emptyRun = list.data.length === 0 ? emptyBefore + 1 : 0;
  return new Page(list, { query, emptyRun }, source.cursorOf, (page, direction) => {
    const beside = queryBeside(page, direction);
    return beside && fetchPage(source, beside, page.origin.emptyRun).page;
  });
}

/** Returns the cursor that a page is asked for with. */
export function cursorIn(query: ListQuery): string | null {
  const cursor = query['starting_after'] ?? query['ending_before'];
  return typeof cursor === 'string' ? cursor : null;
}
