import {
  ALL_EVENT_TYPES,
  type EventListParams,
  type PlatformEvent,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { listEndpoints } from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { getEvent, listEvents } from '../resources/webhook-events/webhook-events.service.ts';
import { mayEnter } from './access.ts';
import { attemptLines } from './attempts.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { badge } from './parts/badge.ts';
import { codeBlock, commands, curlOf, jsonBlock } from './parts/code.ts';
import { emptyState, firstEvent, noMatch } from './parts/empty.ts';
import { copyId, kv, shortId } from './parts/kv.ts';
import {
  apiQuery,
  type Filter,
  filterBar,
  isFiltered,
  listParams,
  pager,
  platOptions,
  queryOf,
  TIMES,
} from './parts/list.ts';
import { pane } from './parts/pane.ts';
import { table } from './parts/table.ts';
import { ago, instant } from './parts/time.ts';
import { replayPosted } from './replay-event.ts';
import { subscribes } from './subscription.ts';
import { isTestEvent, TEST_EVENT_WORDS } from './test-event.ts';
import { doneNotice } from './texts.ts';

const PATH = '/events';
const MAX_ATTEMPTS = 100;
/** Endpoints without the event that are listed. */
const MAX_UNSENT = 20;

const FILTERS: readonly Filter[] = [
  { name: 'type', label: 'Type', choices: ALL_EVENT_TYPES.map((value) => ({ value, words: value })) },
  { name: 'object_id', label: 'Object', placeholder: 'cli_…' },
  ...TIMES,
];

/** Events with their payload, the attempts at each endpoint, and replay. */
export const eventRoutes: readonly PageRoute[] = [
  {
    room: 'events',
    method: 'GET',
    path: PATH,
    async handle(call) {
      return { page: await eventsPage(call, null) };
    },
  },
  {
    room: 'events',
    method: 'GET',
    path: `${PATH}/:id`,
    async handle(call) {
      const event = await getEvent(call.ctx, call.id);
      return { page: await eventsPage(call, await eventPane(call, event), event) };
    },
  },
  {
    room: 'events',
    method: 'POST',
    path: `${PATH}/:id/replay`,
    async handle({ prefix, id, fields, write }) {
      await write((ctx) => replayPosted(ctx, id, fields));
      return { goTo: `${prefix}${PATH}/${id}?done=replayed` };
    },
  },
];

async function eventsPage(call: PageCall, shown: Html | null, selected?: PlatformEvent): Promise<SignedInPage> {
  const { ctx, base, prefix, query, refused, now } = call;
  const params = listParams<EventListParams>(SCHEMAS.EventListParams, call, FILTERS);
  const list = await listEvents(ctx, params);
  const own = base + prefix + PATH;
  const kept = queryOf(query, FILTERS);
  const about = { own, query, refused, filters: FILTERS, nouns: 'events' };
  return {
    title: 'Events',
    here: prefix + PATH,
    lede: 'Changes that were sent to your endpoints as webhooks, newest first.',
    selected: selected?.type,
    pane: shown,
    body: html`${filterBar(about)}
${
  list.data.length === 0
    ? isFiltered(query, FILTERS)
      ? noMatch({ one: 'event', many: 'events', own })
      : emptyState({
          title: 'No events yet',
          words: 'Creating, changing or deleting an object makes an event.',
          ...firstEvent(call),
        })
    : eventsTable(call, list.data, { kept, selected: selected?.id })
}
${pager(about, list)}
${commands(
  `plat webhooks events list${platOptions(query, FILTERS, now)}`,
  curlOf(`/webhooks/events${apiQuery(query, FILTERS, now)}`),
)}`,
  };
}

/** Lists events. The links keep the query of the list. */
export function eventsTable(
  { base, prefix, now }: Pick<PageCall, 'base' | 'prefix' | 'now'>,
  items: readonly PlatformEvent[],
  { kept = '', selected }: { readonly kept?: string; readonly selected?: string | undefined } = {},
): Html {
  return table({
    caption: 'Events, newest first',
    items,
    isCurrent: ({ id }) => id === selected,
    columns: [
      { words: 'Time', look: 'nowrap muted', cell: ({ created }) => ago(created, now) },
      {
        words: 'Type',
        isHead: true,
        look: 'grow',
        cell: ({ id, type }) => html`<a class="row-link mono" href="${base}${prefix}${PATH}/${id}${kept}">${type}</a>`,
      },
      { words: 'Object', look: 'wide brief nowrap soft mono', cell: (event) => shortId(objectIdOf(event) ?? '') },
      { words: 'Event', look: 'wide spare nowrap soft mono', cell: ({ id }) => shortId(id) },
    ],
  });
}

async function eventPane(call: PageCall, event: PlatformEvent): Promise<Html> {
  const { ctx, base, prefix, query, session } = call;
  const [{ data: attempts, hasMore }, { data: endpoints }] = await Promise.all([
    listDeliveries(ctx, { event_id: event.id, limit: MAX_ATTEMPTS }),
    listEndpoints(ctx, { limit: MAX_ATTEMPTS }),
  ]);
  const own = base + prefix + PATH;
  const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const byEndpoint = Map.groupBy([...attempts].reverse(), ({ endpoint_id }) => endpoint_id);
  const unsent = endpoints.filter(({ id }) => !byEndpoint.has(id)).slice(0, MAX_UNSENT);
  const isTest = isTestEvent(event);
  // The object of a sample does not exist.
  const objectId = isTest ? null : objectIdOf(event);
  const mayReplay = mayEnter(session, 'events', 'change');
  const button = (words: HtmlValue, endpointId?: string) =>
    mayReplay &&
    form(
      {
        session,
        action: `${own}/${event.id}/replay`,
        hidden: endpointId === undefined ? {} : { endpoint_id: endpointId },
        look: 'inline',
      },
      html`<button type="submit" class="btn">${words}</button>`,
    );
  return pane({
    title: event.type,
    isMono: true,
    listPath: own + queryOf(query, FILTERS),
    listWords: 'All events',
    meta: html`${instant(event.created)} ${stateOf(byEndpoint)}${isTest && html` ${badge('Test event')}`}`,
    body: html`${doneNotice(query['done'], { replayed: 'Replay scheduled. Attempt 1 follows at once.' })}
${isTest && html`<p class="hint">${TEST_EVENT_WORDS}</p>`}
<div class="actions"><a class="btn" href="${base}${prefix}/trace?id=${event.id}">Open trace</a>${endpoints.some((endpoint) => receives(endpoint, event)) && button('Replay to all endpoints')}</div>
${kv([
  ['Event', copyId(event.id)],
  [
    'Object',
    objectId === null ? null : html`<a class="mono" href="${base}${prefix}/trace?id=${objectId}">${objectId}</a>`,
  ],
])}
<h3>Attempts</h3>
${hasMore && html`<p class="hint">The latest ${MAX_ATTEMPTS} attempts. The trace has all.</p>`}${
  byEndpoint.size === 0
    ? html`<p class="hint">No endpoint subscribed to this type when the event happened. <a href="${base}${prefix}/webhooks">Endpoints</a></p>`
    : [...byEndpoint].map(([endpointId, own]) => {
        const endpoint = known.get(endpointId);
        return html`<section class="item"><h4>${
          endpoint
            ? html`<a href="${base}${prefix}/webhooks/${endpointId}">${endpoint.url}</a>${endpoint.status === 'disabled' && html` <span class="muted">(disabled)</span>`}`
            : html`<span class="mono">${endpointId}</span> <span class="muted">(deleted)</span>`
        }</h4>
${attemptLines(call, own)}${endpoint?.status === 'enabled' && button(html`Resend to this endpoint<span class="sr"> ${endpoint.url}</span>`, endpointId)}</section>`;
      })
}
${
  // With more attempts than these, an endpoint without any of them may have older ones.
  !hasMore &&
  unsent.length > 0 &&
  html`<h3>Not sent to</h3>
${unsent.map(
  (
    endpoint,
  ) => html`<section class="item"><h4><a href="${base}${prefix}/webhooks/${endpoint.id}">${endpoint.url}</a></h4>
<p class="hint">${reasonOf(endpoint, event)}</p>${receives(endpoint, event) && button(html`Send to this endpoint<span class="sr"> ${endpoint.url}</span>`, endpoint.id)}</section>`,
)}`
}
<h3>Payload</h3>
${jsonBlock('Event payload', event)}
<h3>As a command</h3>
${codeBlock({ label: 'This event as plat', text: `plat webhooks events get ${event.id}\nplat webhooks events replay ${event.id}` })}`,
  });
}

/** True if a replay sends the event to the endpoint. */
function receives(endpoint: WebhookEndpoint, event: PlatformEvent): boolean {
  return endpoint.status === 'enabled' && subscribes(endpoint, event.type);
}

/** Returns why an endpoint did not get an event, as far as its present state shows it. */
function reasonOf(endpoint: WebhookEndpoint, event: PlatformEvent): string {
  if (Date.parse(endpoint.created_at) > Date.parse(event.created)) return 'It was created after the event.';
  if (!subscribes(endpoint, event.type)) return 'It does not subscribe to this type.';
  if (endpoint.status === 'disabled') return 'It is disabled.';
  return 'It was disabled when the event happened, or did not subscribe to this type yet.';
}

function stateOf(byEndpoint: ReadonlyMap<string, readonly WebhookDelivery[]>): Html {
  const last = [...byEndpoint.values()].flatMap((attempts) => attempts.at(-1) ?? []);
  const failing = last.filter(({ status }) => status === 'failed').length;
  const due = last.filter(({ status }) => status === 'pending' || status === 'retrying').length;
  if (last.length === 0) return badge('No endpoint');
  if (failing > 0) return badge(`${failing} of ${last.length} endpoints failed`, 'bad');
  if (due > 0) return badge(`${due} of ${last.length} endpoints due`, 'warn');
  return badge('Delivered', 'good');
}

/** Returns the id of the object that the event describes. */
function objectIdOf({ data }: PlatformEvent): string | null {
  const { id } = data as { readonly id?: unknown };
  return typeof id === 'string' ? id : null;
}
