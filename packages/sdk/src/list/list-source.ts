import type { List } from '@plat/contract';
import type { Reply } from '../call/execute.ts';
import type { RunningCall } from '../call/running-call.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { ListStalledError } from '../errors/usage-errors.ts';
import { type CursorOf, type Direction, directionOf, Page } from './page.ts';

/** Query parameters of a list. */
export type ListQuery = Readonly<Record<string, unknown>>;

/** Source of the pages of a list. */
export interface ListSource<T> {
  /** Query parameters of the caller. */
  readonly query: ListQuery;
  readonly cursorOf: CursorOf<T>;
  readonly readAhead: boolean;
  /** The `signal` option of the caller. `send` refuses values that are not signals. */
  readonly signal: { readonly aborted?: unknown; readonly reason?: unknown } | null | undefined;
  readonly send: (query: ListQuery) => RunningCall;
}

/** A page that is being loaded. */
export interface RunningPage<T> {
  readonly page: Promise<Page<T>>;
  readonly reply: Promise<Reply>;
  abandon(): void;
}

/** Maximum number of consecutive empty pages with `has_more` and without `next_cursor`. After that the list counts as stalled. */
const MAX_EMPTY_PAGES = 10;

/** Loads a page. The `cursor` of an error identifies the page. */
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
 * Returns the query of the adjacent page; null if the service reported that there is none.
 * @throws {@link ListStalledError} if the iteration would not end
 */
export function queryBeside<T>(page: Page<T>, direction: Direction): ListQuery | null {
  const { query } = page.origin;
  const travelling = direction === directionOf(query);
  if (travelling && !page.has_more) return null;
  const before = cursorIn(query);
  // An empty page without `next_cursor` has no cursor. The same query is repeated, because rows that a filter skipped can follow.
  const cursor = (direction === 'next' ? page.endCursor : page.startCursor) ?? before;
  if (
    travelling &&
    (page.origin.emptyRun > MAX_EMPTY_PAGES ||
      ((page.data.length > 0 || page.next_cursor !== undefined) && cursor === before))
  ) {
    const error = new ListStalledError(
      'The list makes no progress: the service repeats the same page, or returns only empty pages',
    );
    error.cursor = before;
    throw error;
  }
  const { starting_after: _after, ending_before: _before, ...rest } = query;
  if (cursor === null) return travelling ? rest : null;
  return { ...rest, [direction === 'next' ? 'starting_after' : 'ending_before']: cursor };
}

function pageOf<T>(source: ListSource<T>, query: ListQuery, reply: Reply, emptyBefore: number): Page<T> {
  // The response was checked to be a page. The contract defines the type of its items.
  const list = reply.data as List<T>;
  const emptyRun = list.data.length === 0 && list.next_cursor === undefined ? emptyBefore + 1 : 0;
  return new Page(list, { query, emptyRun }, source.cursorOf, (page, direction) => {
    const beside = queryBeside(page, direction);
    return beside && fetchPage(source, beside, page.origin.emptyRun).page;
  });
}

/** Returns the cursor of a query. */
export function cursorIn(query: ListQuery): string | null {
  const cursor = query['starting_after'] ?? query['ending_before'];
  return typeof cursor === 'string' ? cursor : null;
}
