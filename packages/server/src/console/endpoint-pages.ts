import type { AnyEventType, EventType, WebhookDelivery, WebhookEndpoint } from '@plat/contract';
import type { DeliveryOf, EndpointOf } from '../accounts/owned-webhooks.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { mayEnter } from './access.ts';
import { consolePath } from './api-operation.ts';
import { DELIVERY_FILTERS, stateBadge } from './delivery-state.ts';
import { type EndpointOwner, TENANT_ENDPOINTS } from './endpoint-form.ts';
import type { EndpointPlace } from './endpoint-form-pages.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { answerBadge, badge } from './parts/badge.ts';
import { commands, curlOf } from './parts/code.ts';
import { emptyState, firstEvent, noMatch } from './parts/empty.ts';
import { attemptChart, attemptStats } from './parts/figures.ts';
import { copyId, kv } from './parts/kv.ts';
import {
  apiQuery,
  type Filter,
  filterBar,
  isFiltered,
  pager,
  platOptions,
  queryOf,
  usesFilters,
} from './parts/list.ts';
import { type Column, table } from './parts/table.ts';
import { ago, duration, instant } from './parts/time.ts';
import { subscribes } from './subscription.ts';
import { doneNotice } from './texts.ts';

export const WEBHOOKS_PATH = '/webhooks';
const REPLAYS_PATH = consolePath('webhooks.replays.list');
/** Attempts that the figures of an endpoint are computed from. */
export const RECENT_ATTEMPTS = 100;

/** Returns the place of the endpoints of the signed-in account's tenant. */
export function endpointPlaceOf({ prefix }: PageCall): EndpointPlace<EventType> {
  const path = prefix + WEBHOOKS_PATH;
  return { owner: TENANT_ENDPOINTS, here: path, path, below: [{ path, words: 'Webhooks' }] };
}

export function endpointsPage(call: PageCall, list: Page<WebhookEndpoint>): SignedInPage {
  const { base, prefix, query, session, now } = call;
  const own = base + prefix + WEBHOOKS_PATH;
  const create =
    mayEnter(session, 'webhooks', 'change') && html`<a class="btn btn-primary" href="${own}/new">Create endpoint</a>`;
  return {
    title: 'Webhooks',
    here: prefix + WEBHOOKS_PATH,
    lede: html`Endpoints receive events as signed HTTP requests. <a href="${own}/catalogue">All event types with samples</a> · <a href="${base}${prefix}${REPLAYS_PATH}">Replays of many events</a>`,
    actions: list.data.length > 0 && create,
    body: html`${doneNotice(query['done'], { deleted: 'Endpoint deleted. Its due attempts are not sent.' })}
${
  list.data.length === 0
    ? emptyState({
        title: 'No webhook endpoints yet',
        words: html`An endpoint receives events, such as <code>client.created</code>. To receive them on this machine, run:`,
        command: { label: 'plat', text: 'plat listen --to http://localhost:3000/webhooks' },
        action: create,
      })
    : table({
        caption: 'Webhook endpoints, newest first',
        items: list.data,
        columns: [
          ...nameColumns(own),
          { words: 'Events', look: 'wide num', cell: ({ events }) => (events.includes('*') ? 'all' : events.length) },
          healthColumn(now),
        ],
      })
}
${pager({ own, query, nouns: 'endpoints' }, list)}
${commands('plat webhooks endpoints list', curlOf('/webhooks/endpoints'))}`,
  };
}

/** Columns that name the endpoints of a table. */
export function nameColumns(own: string): readonly Column<WebhookEndpoint>[] {
  return [
    {
      words: 'Endpoint',
      isHead: true,
      look: 'grow',
      cell: ({ id, url }) => html`<a class="row-link" href="${own}/${id}">${url}</a>`,
    },
    { words: 'Description', look: 'wide text soft', cell: ({ description }) => description },
  ];
}

export function healthColumn(now: number): Column<WebhookEndpoint> {
  return {
    words: 'Health',
    look: 'nowrap',
    cell: (endpoint) =>
      html`${healthBadge(endpoint)}${
        endpoint.failing_since !== null &&
        html` <span class="muted wide">since ${ago(endpoint.failing_since, now)}</span>`
      }`,
  };
}

export function healthBadge({
  status,
  failing_since,
  paused_until,
}: Pick<WebhookEndpoint, 'status' | 'failing_since' | 'paused_until'>): Html {
  if (status === 'disabled') return badge('Disabled');
  if (paused_until !== null) return badge('Paused', 'bad');
  return failing_since === null ? badge('Healthy', 'good') : badge('Failing', 'bad');
}

interface EndpointShown {
  readonly endpoint: WebhookEndpoint;
  /** The latest attempts, newest first. */
  readonly recent: readonly WebhookDelivery[];
  readonly list: Page<WebhookDelivery>;
  /** Time until which the secret before the last rotation signs too, in ms. */
  readonly overlapUntil: number | null;
  readonly pane: Html | null;
  readonly selected: WebhookDelivery | null;
}

/** Builds the page of an endpoint: health, actions, and its deliveries. */
export function endpointPage(call: PageCall, shown: EndpointShown): SignedInPage {
  const { endpoint, recent, list, overlapUntil, pane, selected } = shown;
  const { base, prefix, query, refused, session, now } = call;
  const own = `${base}${prefix}${WEBHOOKS_PATH}/${endpoint.id}`;
  const about = { own, query, refused, filters: DELIVERY_FILTERS, nouns: 'deliveries' };
  const isEnabled = endpoint.status === 'enabled';
  const button = html`<button type="submit" class="btn">${isEnabled ? 'Disable' : 'Enable'}</button>`;
  const mayChange = mayEnter(session, 'webhooks', 'change');
  const actions =
    mayChange &&
    html`<a class="btn" href="${own}/edit">Edit</a><a class="btn" href="${own}/secret">Rotate secret</a>${form({ session, action: `${own}/status`, hidden: { status: isEnabled ? 'disabled' : 'enabled' }, look: 'inline' }, button)}<a class="btn btn-danger" href="${own}/delete">Delete</a>`;
  return {
    title: endpoint.url,
    here: prefix + WEBHOOKS_PATH,
    below: endpointPlaceOf(call).below,
    badges: html` ${healthBadge(endpoint)}`,
    meta: html`${endpoint.description !== null && html`<span>${endpoint.description}</span>`}<span>${copyId(endpoint.id)}</span>`,
    actions,
    selected: selected === null ? undefined : `Attempt ${selected.attempt} of ${selected.event_type}`,
    pane,
    body: html`${doneNotice(query['done'], { saved: 'Saved.', enabled: 'Endpoint enabled.', disabled: 'Endpoint disabled. Events are not sent to it.' })}
${stateNotice(call, endpoint, { mayChange, path: prefix + REPLAYS_PATH, command: 'plat webhooks replays create' })}
${figuresOf(recent)}
<section class="section" aria-labelledby="deliveries"><div class="section-head"><h2 id="deliveries">Deliveries</h2>${
      mayChange &&
      isEnabled &&
      html`<a href="${base}${replayPath(prefix + REPLAYS_PATH, endpoint.id, now)}">Replay events</a>`
    }</div>
${mayChange && isEnabled && testForm(call, endpoint, TENANT_ENDPOINTS, own)}
${(recent.length > 0 || usesFilters(about)) && filterBar(about)}
${
  list.data.length === 0
    ? isFiltered(query, DELIVERY_FILTERS)
      ? noMatch({ one: 'delivery', many: 'deliveries', own })
      : emptyState({
          title: 'No deliveries yet',
          words: 'A change of an object makes an event. The endpoint receives those that it subscribes to.',
          ...firstEvent(call),
        })
    : deliveriesTable(call, list.data, selected?.id)
}
${pager({ own, query, nouns: 'attempts' }, list)}</section>
<section class="section" aria-labelledby="facts"><h2 id="facts">Settings</h2>
${kv([
  ['Events', endpoint.events.includes('*') ? 'All types' : endpoint.events.map((type) => html`<code>${type}</code> `)],
  [
    'Signed with',
    overlapUntil === null
      ? 'The current secret'
      : html`The current secret, and the previous one until ${instant(new Date(overlapUntil).toISOString())}`,
  ],
  ['Created', instant(endpoint.created_at)],
  ['Changed', instant(endpoint.updated_at)],
])}</section>
${commands(
  `plat webhooks deliveries list --endpoint-id ${endpoint.id}${platOptions(query, DELIVERY_FILTERS, now)}`,
  curlOf(
    `/webhooks/deliveries${apiQuery({ ...query, endpoint_id: endpoint.id }, [ENDPOINT, ...DELIVERY_FILTERS], now)}`,
  ),
)}`,
  };
}

function deliveriesTable(
  { base, prefix, query, now }: PageCall,
  items: readonly WebhookDelivery[],
  selected: string | undefined,
): Html {
  const kept = queryOf(query, DELIVERY_FILTERS);
  return table({
    caption: 'Deliveries to this endpoint, newest first',
    items,
    isCurrent: ({ id }) => id === selected,
    columns: [
      {
        words: 'Time',
        look: 'nowrap muted',
        cell: ({ attempted_at, scheduled_at }) => ago(attempted_at ?? scheduled_at, now),
      },
      {
        words: 'Event',
        isHead: true,
        look: 'grow',
        cell: ({ id, event_type }) =>
          html`<a class="row-link mono" href="${base}${prefix}${WEBHOOKS_PATH}/deliveries/${id}${kept}">${event_type}</a>`,
      },
      {
        words: 'Answer',
        look: 'nowrap',
        cell: ({ response_status, error_class }) => answerBadge(response_status, error_class),
      },
      { words: 'State', look: 'nowrap', cell: ({ status }) => stateBadge(status) },
      { words: 'Attempt', look: 'num wide spare', cell: ({ attempt }) => attempt },
      {
        words: 'Duration',
        look: 'num nowrap wide',
        cell: ({ duration_ms }) => (duration_ms === null ? null : duration(duration_ms)),
      },
    ],
  });
}

const ENDPOINT: Filter = { name: 'endpoint_id', label: 'Endpoint' };

/** The form for the replay of the failed events of the last day. */
export function replayPath(path: string, endpointId: string, now: number): string {
  const fields = { endpoint_id: endpointId, since: new Date(now - DAY_MS).toISOString() };
  return `${path}/new?${new URLSearchParams(fields)}`;
}

/**
 * Sends an event with sample data, of a type that the endpoint receives. Only sandboxes have test events.
 * @param own path of the endpoint, with the prefix
 */
export function testForm<T extends AnyEventType>(
  { session }: PageCall,
  endpoint: EndpointOf<T>,
  { types: all }: EndpointOwner<T>,
  own: string,
): HtmlValue {
  if (!session.sandbox) return null;
  const types = all.filter((type) => subscribes(endpoint, type));
  const field = `test-${endpoint.id}`;
  return form(
    { session, action: `${own}/test`, look: 'inline' },
    html`<div class="filters"><div class="field"><label for="${field}">Test event with sample data</label><select class="input" id="${field}" name="type">${types.map((type) => html`<option>${type}</option>`)}</select></div><button type="submit" class="btn">Send test event</button></div><p class="hint">Every endpoint that subscribes to its type receives it.</p>`,
  );
}

/** The replays of the owner of an endpoint. */
interface ReplaysOf {
  readonly mayChange: boolean;
  /** Path of their list, with the prefix. */
  readonly path: string;
  /** Command that creates one. */
  readonly command: string;
}

/** Notice for an endpoint that does not receive events: the reason, what it missed, and how it receives them again. */
export function stateNotice(
  { session, base, now }: PageCall,
  endpoint: EndpointOf<AnyEventType>,
  { mayChange, path, command }: ReplaysOf,
): HtmlValue {
  const { id, status, disabled_reason: reason, missed_since: missed, paused_until: paused } = endpoint;
  if (status === 'disabled') {
    return html`<div class="notice warn"><h2>This endpoint is disabled</h2><p>Reason: ${reason}.</p>${
      missed !== null &&
      html`<p>Events since ${instant(missed)} were not sent to it. After you enable it, you can send them here.</p>`
    }</div>`;
  }
  const missedNotice =
    missed !== null &&
    html`<div class="notice warn"><h2>Events were missed while the endpoint was disabled</h2><p>Events since ${instant(missed)} were not sent to it. In a terminal: <code>${command} --endpoint-id ${id} --since ${missed}</code></p>${
      mayChange &&
      form(
        {
          session,
          action: `${base}${path}/new`,
          hidden: { endpoint_id: id, since: missed },
          look: 'inline',
        },
        html`<p class="actions"><button type="submit" class="btn btn-primary">Send missed events</button></p>`,
      )
    }</div>`;
  return html`${paused !== null && html`<div class="notice bad"><h2>Deliveries are paused</h2><p>Many attempts in a row failed. One delivery is tried ${ago(paused, now)}. Correct the receiver; a change of the URL starts deliveries at once.</p></div>`}${missedNotice}`;
}

/** Figures of the latest attempts: they are the ones that the API lists. */
export function figuresOf(recent: readonly DeliveryOf<AnyEventType>[]): HtmlValue {
  const made = recent
    .filter(({ attempted_at }) => attempted_at !== null)
    .map(({ status, duration_ms }) => ({ isGood: status === 'succeeded', ms: duration_ms ?? 0 }));
  const due = recent.filter(({ status }) => status === 'pending').length;
  if (made.length === 0) return null;
  return html`${attemptStats(made, due, `of the last ${made.length} attempts`)}
${attemptChart(made.toReversed())}`;
}
