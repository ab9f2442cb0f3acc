import type { Platform } from '@plat/sdk';
import type { DeveloperApi } from '@plat/sdk/developer';
import type { CommandContext } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { arrayListPrinter, printParts } from '../output/list.ts';
import { isObject, itemsOf, type JsonObject } from '../terminal/value.ts';

/**
 * Prints the items of all pages of a list, as they arrive.
 * @throws {@link CliError} `USAGE` for a response that is not a list
 */
export function printAllPages(
  context: CommandContext,
  platform: Platform | DeveloperApi,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const isTable = context.flags.output === 'table';
  return printParts(
    context,
    (signal) => pagesOf(platform, path, query, signal),
    isTable ? { printer: arrayListPrinter(context) } : {},
  );
}

async function* pagesOf(
  platform: Platform | DeveloperApi,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<readonly JsonObject[]> {
  const [bare = '', ofPath] = path.split('?', 2);
  const parameters: Readonly<Record<string, string>> = { ...Object.fromEntries(new URLSearchParams(ofPath)), ...query };
  const isBackwards = parameters['ending_before'] !== undefined && parameters['starting_after'] === undefined;
  const parameter = isBackwards ? 'ending_before' : 'starting_after';
  let cursor = parameters[parameter];
  for (;;) {
    const at = cursor === undefined ? {} : { [parameter]: cursor };
    const page: unknown = await platform.request('GET', bare, { query: { ...parameters, ...at }, signal });
    const items = itemsOf(page);
    if (!items) throw new CliError('USAGE', `--paginate is for lists; GET ${bare} does not return one`);
    yield isBackwards ? items.toReversed() : items;
    if (!isObject(page) || page['has_more'] !== true) return;
    const next = page['next_cursor'] ?? items.at(isBackwards ? 0 : -1)?.['id'];
    if (next === undefined && items.length === 0) return;
    if (typeof next !== 'string' || next === cursor) {
      throw new CliError('USAGE', `--paginate needs items with ids; those of ${bare} have none`, {
        next: 'Use the command of the list with --all.',
      });
    }
    cursor = next;
  }
}
