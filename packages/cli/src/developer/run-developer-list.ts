import type { DeveloperOperationName } from '@plat/contract';
import type { DeveloperApi } from '@plat/sdk/developer';
import type { CommandContext } from '../command/context.ts';
import { type ListInvocation, printPages, printRange, refuseAllWithLimit } from '../operations/run-list.ts';
import { hasFilters } from './fields.ts';

/** Prints a list of the developer API: every page of a list without filters, which is short. */
export async function runDeveloperList(
  context: CommandContext,
  developer: DeveloperApi,
  list: ListInvocation<DeveloperOperationName>,
): Promise<void> {
  refuseAllWithLimit(list);
  await (hasFilters(list.operation) ? printRange : printPages)(context, developer, list);
}
