import { LIMITS, type OperationName } from '@plat/contract';
import type { ListCall, Page } from '@plat/sdk';
import { repeatWithOption } from '../command/command-line.ts';
import { connect } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { envelopeListPrinter, type ListEnd, printList, printParts } from '../output/list.ts';
import type { JsonObject } from '../terminal/value.ts';
import { callList } from './call.ts';

/** One call of a list. */
export interface ListInvocation {
  readonly operation: OperationName;
  readonly path: readonly string[];
  /** Filters and cursor. */
  readonly query: JsonObject;
  readonly limit: number | undefined;
  readonly all: boolean;
}

/**
 * Prints one page of a list. With `--all`, or a limit above one page, it prints the items of as many pages as needed.
 */
export async function runList(context: CommandContext, list: ListInvocation): Promise<void> {
  if (list.all && list.limit !== undefined) throw new CliError('USAGE', '--all and --limit exclude each other');
  const platform = await connect(context, { changes: false });
  const isPage = !list.all && (list.limit ?? 0) <= LIMITS.page.max;
  const pageLimit = isPage ? list.limit : LIMITS.page.max;
  const query = pageLimit === undefined ? list.query : { ...list.query, limit: pageLimit };
  const call = callList(platform, list.operation, query, list.path);
  if (isPage) await printPage(context, list, await call);
  else {
    const { ending_before: backwards } = list.query;
    context.trace.resumeWith = backwards === undefined ? '--starting-after' : '--ending-before';
    const end: ListEnd = { url: '', hasMore: false };
    await printParts(context, partsOf(call, list.limit ?? Number.POSITIVE_INFINITY, end), {
      expected: list.limit,
      ...(context.flags.output === 'json' && { printer: envelopeListPrinter(context, end) }),
    });
  }
  platform.close();
}

async function printPage(context: CommandContext, list: ListInvocation, page: Page<JsonObject>): Promise<void> {
  await printList(context, page);
  const backwards = list.query['ending_before'] !== undefined;
  const cursor = backwards ? page.startCursor : page.endCursor;
  if (!page.has_more || cursor === null) return;
  const option = backwards ? '--ending-before' : '--starting-after';
  await note(context, `There are more (or add --all): ${repeatWithOption(context, option, cursor)}`);
}

/** Yields the items of as many pages as the limit needs; `end` receives `url` and `has_more` of the last page. */
async function* partsOf(
  call: ListCall<JsonObject>,
  limit: number,
  end: ListEnd,
): AsyncGenerator<readonly JsonObject[]> {
  let left = limit;
  for await (const { data, has_more, url } of call.pages()) {
    end.url = url;
    end.hasMore = has_more || data.length > left;
    if (data.length > 0) yield data.slice(0, left);
    left -= data.length;
    if (left <= 0) return;
  }
}
