import type { ListParams } from '@plat/contract';
import type { Page } from '../../http/route.ts';
import { PAGE, type Query } from './list.ts';

/** Rows of one query, and the number of queries. */
const BATCH = 100;
const BATCHES = 10;
/** Maximum number of rows that a search examines. */
export const SCANNED_ROWS = BATCH * BATCHES;

type Cursors = Pick<ListParams, 'starting_after' | 'ending_before'>;

/**
 * Returns the next rows of a list that match, where no index serves the search. It ends after a bounded number of rows
 * with a cursor at which it continues, like a list of /v1 (decision 041).
 */
export async function scan<Item>(
  list: (params: Cursors & { readonly limit: number }) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
  matches: (item: Item) => boolean,
  { starting_after: after, ending_before: before }: Cursors,
): Promise<Page<Item>> {
  const isBackward = before !== undefined;
  let cursor = isBackward ? before : after;
  let found: readonly Item[] = [];
  for (let n = 0; n < BATCHES; n++) {
    const from = cursor === undefined ? {} : { [isBackward ? 'ending_before' : 'starting_after']: cursor };
    const page = await list({ limit: BATCH, ...from });
    const hits = page.data.filter(matches);
    found = isBackward ? [...hits, ...found] : [...found, ...hits];
    if (found.length > PAGE) {
      return { data: isBackward ? found.slice(-PAGE) : found.slice(0, PAGE), hasMore: true };
    }
    const edge = isBackward ? page.data[0] : page.data.at(-1);
    cursor = page.nextCursor ?? (edge && idOf(edge));
    if (!page.hasMore || cursor === undefined) return { data: found, hasMore: false };
  }
  return { data: found, hasMore: true, ...(cursor !== undefined && { nextCursor: cursor }) };
}

/** Returns the cursor of a query, if it has one. */
export function cursorsOf({ starting_after: after, ending_before: before }: Query): Cursors {
  return { ...(after ? { starting_after: after } : {}), ...(before ? { ending_before: before } : {}) };
}

/** Returns a test for texts that contain the words as typed, ignoring case. */
export function contains(typed: string): (text: unknown) => boolean {
  const sought = folded(typed);
  return (text) => typeof text === 'string' && folded(text).includes(sought);
}

/** Returns a test for texts that are the words as typed, ignoring case. */
export function equals(typed: string): (text: unknown) => boolean {
  const sought = folded(typed);
  return (text) => typeof text === 'string' && folded(text) === sought;
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
