import { type DeveloperOperationName, LIMITS, type List } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { repeatWithOption } from '../command/command-line.ts';
import { type CommandContext, note } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { envelopeListPrinter, type ListEnd, printParts } from '../output/list.ts';
import type { JsonObject } from '../terminal/value.ts';
import { callDeveloper } from './call.ts';
import { hasFilters } from './fields.ts';

/** One call of a list of the developer API. */
export interface DeveloperList {
  readonly operation: DeveloperOperationName;
  readonly path: Readonly<Record<string, string>>;
  /** Filters and cursor. */
  readonly query: JsonObject;
  readonly limit: number | undefined;
  readonly all: boolean;
}

/**
 * Prints the items of as many pages as the limit needs; of every page with `--all`, and for a list without filters,
 * which is short.
 */
export async function runDeveloperList(
  context: CommandContext,
  platform: Platform,
  { all, limit, ...list }: DeveloperList,
): Promise<void> {
  if (all && limit !== undefined) throw new CliError('USAGE', '--all and --limit exclude each other');
  const isWhole = all || !hasFilters(list.operation);
  const most = isWhole ? Number.POSITIVE_INFINITY : (limit ?? LIMITS.page.default);
  const end: ListEnd & { cursor?: string } = { url: '', hasMore: false };
  await printParts(context, partsOf(platform, list, most, end), {
    ...(!isWhole && { expected: most }),
    ...(context.flags.output === 'json' && { printer: envelopeListPrinter(context, end) }),
  });
  if (!end.hasMore || end.cursor === undefined) return;
  const option = isBackwards(list) ? '--ending-before' : '--starting-after';
  await note(context, `There are more (or add --all): ${repeatWithOption(context, option, end.cursor)}`);
}

/** Yields the items page by page; `end` receives what the last page says about the rest. */
async function* partsOf(
  platform: Platform,
  { operation, path, query }: Pick<DeveloperList, 'operation' | 'path' | 'query'>,
  most: number,
  end: ListEnd & { cursor?: string },
): AsyncGenerator<readonly JsonObject[]> {
  const backwards = isBackwards({ query });
  const cursorName = backwards ? 'ending_before' : 'starting_after';
  for (let left = most, cursor = query[cursorName]; left > 0; ) {
    const limit = Math.min(left, LIMITS.page.max);
    // The options were read by the schema of the query, whose values are texts and numbers.
    const asked = { ...query, limit, ...(cursor !== undefined && { [cursorName]: cursor }) } as Record<
      string,
      string | number
    >;
    const page = (await callDeveloper(platform, operation, { path, query: asked })) as unknown as List<JsonObject>;
    const next = page.next_cursor ?? page.data.at(backwards ? 0 : -1)?.['id'];
    end.url = page.url;
    end.hasMore = page.has_more;
    if (typeof next === 'string') end.cursor = next;
    if (page.data.length > 0) yield page.data;
    left -= page.data.length;
    if (!page.has_more || next === undefined || next === cursor) return;
    cursor = next;
  }
}

function isBackwards({ query }: Pick<DeveloperList, 'query'>): boolean {
  return query['ending_before'] !== undefined;
}
