import { type DeveloperOperationName, LIMITS, type OperationName } from '@plat/contract';
import type { ListCall, Page } from '@plat/sdk';
import { repeatWithOption } from '../command/command-line.ts';
import { connect } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { envelopeListPrinter, type ListEnd, printList, printParts } from '../output/list.ts';
import type { JsonObject } from '../terminal/value.ts';
import { type Client, callList } from './call.ts';

/** One call of a list. */
export interface ListInvocation<N extends OperationName | DeveloperOperationName> {
  readonly operation: N;
  readonly path: readonly string[];
  /** Filters and cursor. */
  readonly query: JsonObject;
  readonly limit: number | undefined;
  readonly all: boolean;
}

type AnyList = ListInvocation<OperationName | DeveloperOperationName>;

/** Prints a list of /v1. */
export async function runList(context: CommandContext, list: ListInvocation<OperationName>): Promise<void> {
  refuseAllWithLimit(list);
  const platform = await connect(context, { changes: false });
  await printRange(context, platform, list);
  platform.close();
}

/** @throws {@link CliError} `USAGE` */
export function refuseAllWithLimit({ all, limit }: AnyList): void {
  if (all && limit !== undefined) throw new CliError('USAGE', '--all and --limit exclude each other');
}

/**
 * Prints one page of a list. With `--all`, or a limit above one page, it prints the items of as many pages as needed.
 */
export async function printRange(context: CommandContext, client: Client, list: AnyList): Promise<void> {
  const { operation, path, limit, all } = list;
  if (all || (limit ?? 0) > LIMITS.page.max) {
    const { ending_before: backwards } = list.query;
    context.trace.resumeWith = backwards === undefined ? '--starting-after' : '--ending-before';
    return printPages(context, client, list);
  }
  const query = limit === undefined ? list.query : { ...list.query, limit };
  await printPage(context, list, await callList(client, operation, query, path));
}

/** Prints the items of as many pages as the limit needs; of all pages without a limit. */
export async function printPages(context: CommandContext, client: Client, list: AnyList): Promise<void> {
  const { operation, path, query, limit } = list;
  const end: ListEnd = { url: '', hasMore: false };
  const partsUntil = (signal: AbortSignal) => {
    const call = callList(client, operation, { ...query, limit: LIMITS.page.max }, path, signal);
    return partsOf(call, limit ?? Number.POSITIVE_INFINITY, end);
  };
  await printParts(context, partsUntil, {
    expected: limit,
    ...(context.flags.output === 'json' && { printer: envelopeListPrinter(context, end) }),
  });
}

async function printPage(context: CommandContext, list: AnyList, page: Page<JsonObject>): Promise<void> {
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
