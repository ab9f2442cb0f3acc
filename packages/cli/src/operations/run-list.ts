import { LIMITS, type OperationName } from '@plat/contract';
import type { Page } from '@plat/sdk';
import { CliError } from '../cli-error.ts';
import { connect } from '../connection/connect.ts';
import { type CommandContext, note } from '../context.ts';
import { printList, printParts } from '../output/list.ts';
import type { JsonObject } from '../output/value.ts';
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

/** Prints a page of a list; or with `--all`, or a limit above a page, item after item from as many as it takes. */
export async function runList(context: CommandContext, list: ListInvocation): Promise<void> {
  if (list.all && list.limit !== undefined) throw new CliError('USAGE', '--all and --limit exclude each other');
  const platform = await connect(context, { changes: false });
  const isPage = !list.all && (list.limit ?? 0) <= LIMITS.page.max;
  const query = isPage && list.limit !== undefined ? { ...list.query, limit: list.limit } : list.query;
  const call = callList(platform, list.operation, query, list.path);
  if (isPage) await printPage(context, list, await call);
  else {
    const { ending_before: backwards } = list.query;
    context.trace.resumeWith = backwards === undefined ? '--starting-after' : '--ending-before';
    const items = list.limit === undefined ? call : call.take(list.limit);
    await printParts(context, partsOf(items), { expected: list.limit });
  }
  platform.close();
}

async function printPage(context: CommandContext, list: ListInvocation, page: Page<JsonObject>): Promise<void> {
  await printList(context, page);
  const backwards = list.query['ending_before'] !== undefined;
  const cursor = backwards ? page.startCursor : page.endCursor;
  if (!page.has_more || cursor === null) return;
  await note(context, `There are more: ${backwards ? '--ending-before' : '--starting-after'} ${cursor}, or --all`);
}

/** In parts of a page, which is what comes at once. */
async function* partsOf(items: AsyncIterable<JsonObject>): AsyncGenerator<readonly JsonObject[]> {
  let part: JsonObject[] = [];
  try {
    for await (const item of items) {
      part.push(item);
      if (part.length < LIMITS.page.max) continue;
      yield part;
      part = [];
    }
  } catch (error) {
    // Before an error too: its cursor is behind these.
    if (part.length > 0) yield part;
    throw error;
  }
  if (part.length > 0) yield part;
}
