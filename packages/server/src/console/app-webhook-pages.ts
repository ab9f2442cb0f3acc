import { ALL_APP_EVENT_TYPES, APP_EVENT_TYPES, type AppEventType, LIMITS } from '@plat/contract';
import type { DeliveryOf, EndpointOf } from '../accounts/owned-webhooks.ts';
import { type Html, html } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { APPS_PATH } from './app-pages.ts';
import { healthBadge, stateBadge } from './endpoint-pages.ts';
import { fieldset, form, type Problems, problemSummary, textField } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { overlapField } from './overlap-field.ts';
import type { PageCall } from './page-route.ts';
import { answerBadge } from './parts/badge.ts';
import { codeBlock } from './parts/code.ts';
import { emptyState } from './parts/empty.ts';
import { copyId, kv } from './parts/kv.ts';
import { pager } from './parts/list.ts';
import { table } from './parts/table.ts';
import { ago } from './parts/time.ts';
import { confirmation, doneNotice, secretSheet } from './texts.ts';

type Call = PageCall<'developer'>;
type App = Pick<AppView, 'id' | 'name'>;
type Endpoint = EndpointOf<AppEventType>;
type Delivery = DeliveryOf<AppEventType>;

/** The fields of an endpoint as typed, valid or not. */
export interface TypedAppEndpoint {
  readonly url: string;
  readonly description: string;
  readonly events: readonly (AppEventType | '*')[];
}

const TYPES: readonly (AppEventType | '*')[] = ['*', ...ALL_APP_EVENT_TYPES];

export function postedAppEndpoint(fields: Readonly<Record<string, string>>): TypedAppEndpoint {
  const { url = '', description = '' } = fields;
  return { url, description, events: TYPES.filter((type) => fields[`event.${type}`] === 'on') };
}

export function webhooksPathOf({ id }: Pick<App, 'id'>): string {
  return `${APPS_PATH}/${id}/webhooks`;
}

const DONE = {
  deleted: 'Endpoint deleted. Its due attempts are not sent.',
  enabled: 'Endpoint enabled.',
  disabled: 'Endpoint disabled. Events are not sent to it.',
  replayed: 'The event is sent again. Its first attempt follows at once.',
};

const trailOf = (app: App) => [
  { path: APPS_PATH, words: 'OAuth apps' },
  { path: `${APPS_PATH}/${app.id}`, words: app.name },
];
const belowOf = (app: App) => [...trailOf(app), { path: webhooksPathOf(app), words: 'Webhooks' }];

interface WebhooksShown {
  readonly endpoints: readonly Endpoint[];
  readonly deliveries: Page<Delivery>;
}

/** Builds the page of an app's endpoints and latest deliveries. */
export function appWebhooksPage(call: Call, app: App, { endpoints, deliveries }: WebhooksShown): SignedInPage {
  const { base, query } = call;
  const own = base + webhooksPathOf(app);
  const create = html`<a class="btn btn-primary" href="${own}/new">Create endpoint</a>`;
  return {
    title: 'Webhooks of the app',
    here: APPS_PATH,
    below: trailOf(app),
    lede: 'Endpoints of the app receive the events of its installations, and of the app itself.',
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
${deliveriesOf(call, app, deliveries, own)}
${codeBlock({ label: 'As a command', text: `plat apps webhooks deliveries list ${app.id}` })}`,
  };
}

/** Builds the page of an endpoint: its settings, actions and deliveries. */
export function appEndpointPage(call: Call, app: App, endpoint: Endpoint, deliveries: Page<Delivery>): SignedInPage {
  const { base, query, session, now } = call;
  const own = `${base}${webhooksPathOf(app)}/${endpoint.id}`;
  const isEnabled = endpoint.status === 'enabled';
  const status = isEnabled ? 'disabled' : 'enabled';
  return {
    title: endpoint.url,
    here: APPS_PATH,
    below: belowOf(app),
    badges: html` ${healthBadge(endpoint)}`,
    meta: html`<span>${copyId(endpoint.id)}</span>`,
    actions: html`<a class="btn" href="${own}/secret">Rotate secret</a>${form(
      { session, action: `${own}/status`, hidden: { status }, look: 'inline' },
      html`<button type="submit" class="btn">${isEnabled ? 'Disable' : 'Enable'}</button>`,
    )}<a class="btn btn-danger" href="${own}/delete">Delete</a>`,
    body: html`${doneNotice(query['done'], DONE)}
${kv([
  ['Events', endpoint.events.includes('*') ? 'All types' : endpoint.events.map((type) => html`<code>${type}</code> `)],
  ['Description', endpoint.description],
  ['Disabled because', endpoint.disabled_reason],
  ['Failing since', endpoint.failing_since === null ? null : ago(endpoint.failing_since, now)],
  ['Events missed since', endpoint.missed_since === null ? null : ago(endpoint.missed_since, now)],
])}
${
  endpoint.missed_since !== null &&
  codeBlock({
    label: 'Send the missed events',
    text: `plat apps webhooks replays create ${app.id} --endpoint-id ${endpoint.id} --since ${endpoint.missed_since}`,
  })
}
${deliveriesOf(call, app, deliveries, own)}
${codeBlock({ label: 'As a command', text: `plat apps webhooks deliveries list ${app.id} --endpoint-id ${endpoint.id}` })}`,
  };
}

function deliveriesOf({ base, query, session, now }: Call, app: App, list: Page<Delivery>, own: string): Html {
  const replay = ({ event_id, endpoint_id }: Delivery) =>
    form(
      {
        session,
        action: `${base}${webhooksPathOf(app)}/events/${event_id}/replay`,
        hidden: { endpoint_id },
        look: 'inline',
      },
      html`<button type="submit" class="btn">Resend<span class="sr"> ${event_id}</span></button>`,
    );
  return html`<section class="section" aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>
${
  list.data.length === 0
    ? html`<p>None yet. A consent to the app makes the first event.</p>`
    : table({
        caption: 'Delivery attempts, newest first',
        items: list.data,
        columns: [
          {
            words: 'Time',
            look: 'nowrap muted',
            cell: ({ attempted_at, scheduled_at }) => ago(attempted_at ?? scheduled_at, now),
          },
          { words: 'Event', isHead: true, look: 'grow mono', cell: ({ event_type }) => event_type },
          { words: 'Answer', cell: ({ response_status, error_class }) => answerBadge(response_status, error_class) },
          { words: 'State', look: 'nowrap', cell: ({ status }) => stateBadge(status) },
          { words: 'Attempt', look: 'num wide', cell: ({ attempt }) => attempt },
          { words: 'Reason', look: 'wide soft', cell: ({ error, response_body }) => error ?? response_body },
          { words: 'Again', cell: replay },
        ],
      })
}
${pager({ own, query, nouns: 'attempts' }, list)}</section>`;
}

interface FormShown {
  readonly typed: TypedAppEndpoint;
  readonly problems: Problems;
}

export function newAppEndpointPage({ base, session }: Call, app: App, { typed, problems }: FormShown): SignedInPage {
  const boxes = TYPES.map(
    (
      type,
    ) => html`<label class="check"><input type="checkbox" name="event.${type}" value="on"${typed.events.includes(type) && html` checked`}>
<span><code>${type}</code> <span class="muted">${type === '*' ? 'All types, including later ones.' : APP_EVENT_TYPES[type]}</span></span></label>
`,
  );
  return {
    title: 'Create endpoint',
    here: APPS_PATH,
    below: belowOf(app),
    body: html`${problemSummary(problems, ['url', 'description', 'events'])}
${form(
  { session, action: `${base}${webhooksPathOf(app)}/new` },
  html`${textField({
    name: 'url',
    label: 'URL',
    hint: "Your receiver, at a public address and a path that no tenant's endpoint uses. It answers 2xx within 10 s.",
    type: 'url',
    value: typed.url,
    maxLength: LIMITS.url.max,
    isRequired: true,
    problems,
  })}
${textField({ name: 'description', label: 'Description (optional)', value: typed.description, maxLength: LIMITS.description.max, problems })}
${fieldset({ name: 'events', label: 'Events', problems }, html`<div class="checks">${boxes}</div>`)}
<div class="actions"><button type="submit" class="btn btn-primary">Create endpoint</button></div>`,
)}`,
  };
}

/** Builds the page that shows a signing secret: the response to a form, and the only page with the secret. */
export function appEndpointSecretPage(
  { base }: Call,
  app: App,
  title: string,
  { id, url, secret }: Endpoint & { readonly secret: string },
): SignedInPage {
  return {
    title,
    here: APPS_PATH,
    below: belowOf(app),
    lede: html`Requests to ${url} are signed with this secret.`,
    body: html`${secretSheet({ label: 'Signing secret', value: secret, environment: { PLAT_APP_WEBHOOK_SECRET: secret } })}
<p><a class="btn btn-primary" href="${base}${webhooksPathOf(app)}/${id}">Continue to the endpoint</a></p>`,
  };
}

export function rotateAppEndpointPage({ base, session }: Call, app: App, endpoint: Endpoint): SignedInPage {
  const { id, url, updated_at: seen } = endpoint;
  return {
    title: 'Rotate secret',
    here: APPS_PATH,
    below: belowOf(app),
    lede: url,
    narrow: true,
    body: form(
      { session, action: `${base}${webhooksPathOf(app)}/${id}/secret`, hidden: { seen } },
      html`${overlapField({
        label: 'When does the current secret end?',
        hint: 'Until then each request has a signature for both secrets, so that you can update your receiver.',
        max: LIMITS.webhook.secretOverlapSeconds,
      })}
<button type="submit" class="btn btn-primary">Rotate secret</button>`,
    ),
  };
}

export function deleteAppEndpointPage({ base, session }: Call, app: App, { id, url }: Endpoint): SignedInPage {
  const own = `${base}${webhooksPathOf(app)}/${id}`;
  return {
    title: 'Delete the endpoint?',
    here: APPS_PATH,
    below: belowOf(app),
    narrow: true,
    body: confirmation({
      words: html`<p><code>${url}</code> receives no more events, and its due attempts are not sent. You can't undo this. To stop for a while, disable it.</p>`,
      form: form(
        { session, action: `${own}/delete`, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">Delete endpoint</button>`,
      ),
      backTo: own,
    }),
  };
}
