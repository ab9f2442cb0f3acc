import type { AuditEvent, LoggedRequest, PlatformEvent } from '@plat/contract';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { mayEnter, type Room } from './access.ts';
import { readActorNames } from './actor-names.ts';
import { emitsEvents, readPage } from './api-operation.ts';
import { auditTable } from './audit-routes.ts';
import type { Collection } from './data-collections.ts';
import { eventsTable } from './event-routes.ts';
import type { PageCall } from './page-route.ts';
import { PAGE, pager } from './parts/list.ts';
import { cursorsOf, scan } from './parts/scan.ts';
import { requestsTable } from './request-pages.ts';

/** The history of an object: the rooms whose rows name it. */
export const HISTORY = ['events', 'requests', 'audit'] as const satisfies readonly Room[];
export type HistoryTab = (typeof HISTORY)[number];

/** Returns the tabs of the history that the account may read. Only kinds of objects with events have that tab. */
export function historyTabs({ session }: Pick<PageCall, 'session'>, hasEvents: boolean): readonly HistoryTab[] {
  return HISTORY.filter((tab) => mayEnter(session, tab, 'read') && (tab !== 'events' || hasEvents));
}

/** Returns true if a change of such an object makes an event. */
export function hasEvents({ create, update, actions = [] }: Collection): boolean {
  const operations = [create, update, ...actions.map(({ operation }) => operation)];
  return operations.some((name) => name !== undefined && emitsEvents(name));
}

interface History {
  readonly tab: HistoryTab;
  /** Id of the object. */
  readonly id: string;
  /** Paths of /v1 that are requests about the object. */
  readonly isAbout: (path: string) => boolean;
  /** Path of the page, with the prefix. */
  readonly own: string;
}

/** The rows of one part of the history of an object. */
export async function historyOf(call: PageCall, { tab, id, isAbout, own }: History): Promise<Html> {
  const { query } = call;
  const cursor = cursorsOf(query);
  const rows = { limit: PAGE, ...cursor };
  // The list beside a row is that of the object.
  const keptOf = (filter: 'object_id' | 'target_id') => `?${new URLSearchParams({ [filter]: id, ...cursor })}`;
  const show = (table: HtmlValue, list: Parameters<typeof pager>[1], none: string) =>
    html`${list.data.length === 0 ? html`<p class="soft">${none}</p>` : table}
${pager({ own, query, nouns: tab }, list)}`;
  switch (tab) {
    case 'events': {
      const list = await readPage(call, 'webhooks.events.list', {}, { object_id: id, ...rows });
      const items = list.data as unknown as readonly PlatformEvent[];
      return show(
        eventsTable(call, items, { kept: keptOf('object_id') }),
        { ...list, data: items },
        'No events of the last 30 days.',
      );
    }
    case 'audit': {
      const list = await readPage(call, 'audit.events.list', {}, { target_id: id, ...rows });
      const items = list.data as unknown as readonly AuditEvent[];
      const actors = items.map(({ actor }) => actor);
      const names = await readActorNames(call, actors);
      return show(
        auditTable(call, items, { names, kept: keptOf('target_id') }),
        { ...list, data: items },
        'No changes.',
      );
    }
    case 'requests': {
      const list = await scan(
        (params) => readPage(call, 'requests.list', {}, params),
        (item) => String(item['id']),
        ({ path }) => typeof path === 'string' && isAbout(path),
        cursor,
      );
      const items = list.data as unknown as readonly LoggedRequest[];
      const none = list.hasMore
        ? 'None among these requests. “Older” continues the search.'
        : 'The request log has no calls about it.';
      return show(requestsTable(call, items), { ...list, data: items }, none);
    }
  }
}
