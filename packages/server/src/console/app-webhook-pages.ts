import type { AppEventType } from '@plat/contract';
import type { DeliveryOf, EndpointOf } from '../accounts/owned-webhooks.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { APPS_PATH, appTracePathOf, appTrailOf } from './app-pages.ts';
import { DELIVERY_FILTERS, stateBadge } from './delivery-state.ts';
import { APP_ENDPOINTS } from './endpoint-form.ts';
import type { EndpointPlace } from './endpoint-form-pages.ts';
import { figuresOf, healthBadge, replayPath, stateNotice, testForm } from './endpoint-pages.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { answerBadge } from './parts/badge.ts';
import { codeBlock } from './parts/code.ts';
import { emptyState, noMatch } from './parts/empty.ts';
import { copyId, kv } from './parts/kv.ts';
import { filterBar, isFiltered, pager, platOptions } from './parts/list.ts';
import { table } from './parts/table.ts';
import { ago } from './parts/time.ts';
import { doneNotice } from './texts.ts';

type Call = PageCall<'developer'>;
type App = Pick<AppView, 'id' | 'name'>;

/** Path of the replays of an app. */
const replaysPathOf = (app: App) => `${webhooksPathOf(app)}/replays`;
type Endpoint = EndpointOf<AppEventType>;
type Delivery = DeliveryOf<AppEventType>;

export function webhooksPathOf({ id }: Pick<App, 'id'>): string {
  return `${APPS_PATH}/${id}/webhooks`;
}

const DONE = {
  deleted: 'Endpoint deleted. Its due attempts are not sent.',
  enabled: 'Endpoint enabled.',
  disabled: 'Endpoint disabled. Events are not sent to it.',
  replayed: 'The event is sent again. Its first attempt follows at once.',
  saved: 'Saved.',
};

/** Returns the place of the endpoints of an app. */
export function appEndpointPlaceOf(app: App): EndpointPlace<AppEventType> {
  const path = webhooksPathOf(app);
  return { owner: APP_ENDPOINTS, here: APPS_PATH, path, below: [...appTrailOf(app), { path, words: 'Webhooks' }] };
}

interface WebhooksShown {
  readonly endpoints: readonly Endpoint[];
  readonly deliveries: Page<Delivery>;
}

/** Builds the page of an app's endpoints and latest deliveries. */
export function appWebhooksPage(call: Call, app: App, { endpoints, deliveries }: WebhooksShown): SignedInPage {
  const { base, query, now } = call;
  const own = base + webhooksPathOf(app);
  const create = html`<a class="btn btn-primary" href="${own}/new">Create endpoint</a>`;
  return {
    title: 'Webhooks of the app',
    here: APPS_PATH,
    below: appTrailOf(app),
    lede: html`Endpoints of the app receive the events of its installations, and of the app itself. <a href="${base}${replaysPathOf(app)}">Replays of many events</a>`,
    actions: endpoints.length > 0 && create,
    body: html`${doneNotice(query['done'], DONE)}
${
  endpoints.length === 0
    ? emptyState({
        title: 'No endpoints yet',
        words: 'An endpoint reports when a tenant gives or withdraws access. To create one in a terminal:',
        command: {
          label: 'plat',
          text: `plat apps webhooks endpoints create ${app.id} --url https://app.example/app-events --events '*'`,
        },
        action: create,
      })
    : table({
        caption: 'Endpoints of the app, newest first',
        items: endpoints,
        columns: [
          {
            words: 'Endpoint',
            isHead: true,
            look: 'grow',
            cell: ({ id, url }) => html`<a class="row-link" href="${own}/${id}">${url}</a>`,
          },
          { words: 'Events', look: 'wide num', cell: ({ events }) => (events.includes('*') ? 'all' : events.length) },
          { words: 'Health', look: 'nowrap', cell: healthBadge },
        ],
      })
}
${deliveriesOf(call, app, { endpoints, list: deliveries }, own)}
${codeBlock({ label: 'As a command', text: `plat apps webhooks deliveries list ${app.id}${platOptions(query, DELIVERY_FILTERS, now)}` })}`,
  };
}

interface EndpointShown {
  readonly endpoint: Endpoint;
  /** The latest attempts, newest first. */
  readonly recent: readonly Delivery[];
  readonly list: Page<Delivery>;
  readonly mayTest: boolean;
}

/** Builds the page of an endpoint: its health, settings, actions and deliveries. */
export function appEndpointPage(
  call: Call,
  app: App,
  { endpoint, recent, list, mayTest }: EndpointShown,
): SignedInPage {
  const { base, query, session, now } = call;
  const own = `${base}${webhooksPathOf(app)}/${endpoint.id}`;
  const isEnabled = endpoint.status === 'enabled';
  const status = isEnabled ? 'disabled' : 'enabled';
  const path = replaysPathOf(app);
  return {
    title: endpoint.url,
    here: APPS_PATH,
    below: appEndpointPlaceOf(app).below,
    badges: html` ${healthBadge(endpoint)}`,
    meta: html`${endpoint.description !== null && html`<span>${endpoint.description}</span>`}<span>${copyId(endpoint.id)}</span>`,
    actions: html`<a class="btn" href="${own}/edit">Edit</a><a class="btn" href="${own}/secret">Rotate secret</a>${form(
      { session, action: `${own}/status`, hidden: { status }, look: 'inline' },
      html`<button type="submit" class="btn">${isEnabled ? 'Disable' : 'Enable'}</button>`,
    )}<a class="btn btn-danger" href="${own}/delete">Delete</a>`,
    body: html`${doneNotice(query['done'], DONE)}
${stateNotice(call, endpoint, { mayChange: isEnabled, path, command: `plat apps webhooks replays create ${app.id}` })}
${figuresOf(recent)}
${isEnabled && mayTest && testForm(call, endpoint, APP_ENDPOINTS, own)}
${deliveriesOf(call, app, { endpoints: [endpoint], list }, own, isEnabled && html`<a href="${base}${replayPath(path, endpoint.id, now)}">Replay events</a>`)}
<section class="section" aria-labelledby="facts"><h2 id="facts">Settings</h2>
${kv([
  ['Events', endpoint.events.includes('*') ? 'All types' : endpoint.events.map((type) => html`<code>${type}</code> `)],
  ['Failing since', endpoint.failing_since === null ? null : ago(endpoint.failing_since, now)],
  ['Created', ago(endpoint.created_at, now)],
  ['Changed', ago(endpoint.updated_at, now)],
])}</section>
${codeBlock({ label: 'As a command', text: `plat apps webhooks deliveries list ${app.id} --endpoint-id ${endpoint.id}${platOptions(query, DELIVERY_FILTERS, now)}` })}`,
  };
}

function deliveriesOf(
  { base, query, refused, session, now }: Call,
  app: App,
  { endpoints, list }: { readonly endpoints: readonly Endpoint[]; readonly list: Page<Delivery> },
  own: string,
  action: HtmlValue = null,
): Html {
  const isEnabled = new Set(endpoints.flatMap(({ id, status }) => (status === 'enabled' ? [id] : [])));
  const replay = ({ event_id, endpoint_id }: Delivery) =>
    isEnabled.has(endpoint_id) &&
    form(
      {
        session,
        action: `${base}${webhooksPathOf(app)}/events/${event_id}/replay`,
        hidden: { endpoint_id },
        look: 'inline',
      },
      html`<button type="submit" class="btn">Resend<span class="sr"> ${event_id}</span></button>`,
    );
  return html`<section class="section" aria-labelledby="deliveries"><div class="section-head"><h2 id="deliveries">Deliveries</h2>${action}</div>
${filterBar({ own, query, refused, filters: DELIVERY_FILTERS, nouns: 'deliveries' })}
${
  list.data.length === 0
    ? isFiltered(query, DELIVERY_FILTERS)
      ? noMatch({ one: 'attempt', many: 'attempts', own })
      : html`<p>None yet. A consent to the app makes the first event.</p>`
    : table({
        caption: 'Delivery attempts, newest first',
        items: list.data,
        columns: [
          {
            words: 'Time',
            look: 'nowrap muted',
            cell: ({ attempted_at, scheduled_at }) => ago(attempted_at ?? scheduled_at, now),
          },
          {
            words: 'Event',
            isHead: true,
            look: 'grow mono',
            cell: ({ id, event_type }) =>
              html`<a class="row-link" href="${base}${appTracePathOf(app.id)}?id=${id}">${event_type}</a>`,
          },
          // A phone has room for the state and the button.
          {
            words: 'Answer',
            look: 'wide',
            cell: ({ response_status, error_class }) => answerBadge(response_status, error_class),
          },
          { words: 'State', look: 'nowrap', cell: ({ status }) => stateBadge(status) },
          { words: 'Attempt', look: 'num wide', cell: ({ attempt }) => attempt },
          { words: 'Reason', look: 'wide soft', cell: ({ error, response_body }) => error ?? response_body },
          { words: 'Again', cell: replay },
        ],
      })
}
${pager({ own, query, nouns: 'attempts' }, list)}</section>`;
}
