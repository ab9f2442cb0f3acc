import { LIMITS } from '@plat/contract';
import { time } from '@plat/contract/schemas';
import type { ReadContext } from '../../context.ts';
import type { Page } from '../../http/route.ts';
import { isoTime } from '../../kernel/clock.ts';
import { durationMs } from '../../kernel/duration.ts';
import { listRequests } from '../../resources/requests/requests.service.ts';
import { listDeliveries } from '../../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { listEndpoints } from '../../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { listEvents } from '../../resources/webhook-events/webhook-events.service.ts';
import { type Operator, readOption } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** A list of a tenant, as its API returns it. */
type TenantList<Params, Item> = (ctx: ReadContext, params: Params) => Promise<Page<Item>>;

export const endpointsOf = reader(listEndpoints);
export const eventsOf = reader(listEvents);
export const deliveriesOf = reader(listDeliveries);
export const requestsOf = reader(listRequests);

interface ListParams {
  readonly limit: number;
  readonly starting_after?: string;
  /** A time, or the age of one. */
  readonly created_after?: string;
  readonly created_before?: string;
}

/** Reads a list of a tenant, newest first, until it has `limit` objects. Pages of a list may have fewer than they could. */
function reader<Params extends object, Item extends { readonly id: string }>(list: TenantList<Params, Item>) {
  return async ({ db, now }: Operator, tenantId: string, params: Params & ListParams): Promise<readonly Item[]> => {
    await tenantOf(db, tenantId);
    const times = timesOf(params, now);
    const found: Item[] = [];
    for (let cursor = params.starting_after; ; ) {
      const limit = Math.min(params.limit - found.length, LIMITS.page.max);
      const page = await list(
        { db, tenantId, now, transaction: null },
        { ...params, ...times, limit, ...(cursor === undefined ? {} : { starting_after: cursor }) },
      );
      found.push(...page.data);
      cursor = page.nextCursor ?? page.data.at(-1)?.id;
      if (!page.hasMore || found.length >= params.limit) return found;
    }
  };
}

/** @throws {@link CommandError} for a time that is neither ISO 8601 nor an age */
function timesOf({ created_after: after, created_before: before }: ListParams, now: number) {
  return {
    ...(after !== undefined && { created_after: readTime('--created-after', after, now) }),
    ...(before !== undefined && { created_before: readTime('--created-before', before, now) }),
  };
}

function readTime(option: string, given: string, now: number): string {
  const age = durationMs(given);
  return age === undefined ? readOption(option, time(), given) : isoTime(now - age);
}
