import type { LoggedRequest, WebhookDelivery, WebhookEndpoint } from '@plat/contract';
import type { SessionKind } from '../accounts/session-cookie.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { listRequests } from '../resources/requests/requests.service.ts';
import { type DeliveryDay, deliveryDay } from '../resources/webhook-deliveries/delivery-day.ts';
import { listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { listEndpoints } from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { mayEnter } from './access.ts';
import { TENANT_ENDPOINTS } from './endpoint-form.ts';
import { healthBadge, testForm } from './endpoint-pages.ts';
import type { PageCall } from './page-route.ts';
import { statusBadge } from './parts/badge.ts';
import { codeBlock } from './parts/code.ts';
import { emptyState } from './parts/empty.ts';
import { attemptStats, hourChart } from './parts/figures.ts';
import { table } from './parts/table.ts';
import { ago } from './parts/time.ts';

type Call = PageCall<SessionKind>;

/** Attempts and endpoints that the steps are read from. */
const RECENT = 100;
const REFUSED = 5;

/** The state of an integration: figures, endpoints, refused requests, and steps that complete when they have happened. */
export async function overview(call: Call): Promise<HtmlValue> {
  const { ctx, session } = call;
  if (!mayEnter(session, 'webhooks', 'read') || !mayEnter(session, 'requests', 'read')) return null;
  const [day, deliveries, endpoints, refused, latest, created] = await Promise.all([
    deliveryDay(ctx),
    listDeliveries(ctx, { limit: RECENT }),
    listEndpoints(ctx, { limit: RECENT }),
    listRequests(ctx, { outcome: 'failed', limit: REFUSED }),
    listRequests(ctx, { outcome: 'succeeded', limit: 1 }),
    listRequests(ctx, { outcome: 'succeeded', operation: 'clients.create', limit: 1 }),
  ]);
  const steps = stepsOf({
    request: latest.data[0],
    client: created.data[0],
    endpoint: endpoints.data.at(-1),
    deliveries: deliveries.data,
  });
  return html`<div class="cols"><div>
${endpoints.data.length === 0 ? noEndpoint(call, steps) : dayFigures(day)}
${endpoints.data.length > 0 && endpointTable(call, endpoints.data)}
${refusedTable(call, refused.data)}</div>
<aside aria-labelledby="setup" class="stats-level"><h2 id="setup">Set up your integration</h2><p class="hint">${steps.filter(({ done }) => done).length} of ${steps.length} done. Each step completes when it has happened.</p>
<ol class="steps section-kv">
${steps.map((step) => stepItem(step, call.now))}</ol></aside></div>`;
}

/** Figures of the last 24 h. */
function dayFigures({ since, attempts, due, isCut }: DeliveryDay): HtmlValue {
  if (attempts.length === 0) return null;
  const among = isCut ? `of the latest ${attempts.length} attempts in 24 h` : `of ${attempts.length} attempts in 24 h`;
  return html`${attemptStats(attempts, due, among)}
${hourChart(since, attempts)}`;
}

/** Before the first endpoint: the next step with its command, and a sample of the figures that will be here. */
function noEndpoint({ session, base, prefix }: Call, steps: readonly Step[]): Html {
  const next = steps.find(({ done }) => !done);
  const create =
    mayEnter(session, 'webhooks', 'change') &&
    html`<a class="btn btn-primary" href="${base}${prefix}/webhooks/new">Create endpoint</a>`;
  return html`${emptyState({
    title: 'No endpoint receives events yet',
    words: html`An endpoint is the URL of your receiver. When one listens, success rate, response time and failing endpoints are here.${
      session.sandbox && ' You can then send it a test event with sample data from this page.'
    }${next?.command !== undefined && ` Next step: ${next.words.toLowerCase()}.`}`,
    ...(next?.command !== undefined && { command: { label: 'plat', text: next.command } }),
    action: create,
  })}
<section class="section sample" aria-labelledby="sample"><h2 id="sample">Sample of the figures</h2>
${attemptStats(SAMPLE, 0, `of ${SAMPLE.length} attempts in 24 h`)}</section>`;
}

/** Attempts of no endpoint. */
const SAMPLE = Array.from({ length: 40 }, (_, i) => ({ isGood: i !== 7, ms: 38 + ((i * 37) % 90) }));

function endpointTable(call: Call, endpoints: readonly WebhookEndpoint[]): Html {
  const { base, prefix, now, session } = call;
  const tested = endpoints.find(({ status }) => status === 'enabled');
  const isFailing = ({ failing_since, status }: WebhookEndpoint) => status === 'enabled' && failing_since !== null;
  const items = [...endpoints].sort((a, b) => Number(isFailing(b)) - Number(isFailing(a))).slice(0, 10);
  return html`<section class="section" aria-labelledby="endpoints"><div class="section-head"><h2 id="endpoints">Endpoints</h2><a href="${base}${prefix}/webhooks">All endpoints</a></div>
${tested && mayEnter(session, 'webhooks', 'change') && testForm(call, tested, TENANT_ENDPOINTS, `${base}${prefix}/webhooks/${tested.id}`)}
${table({
  caption: 'Webhook endpoints, failing ones first',
  items,
  columns: [
    {
      words: 'Endpoint',
      isHead: true,
      look: 'grow',
      cell: ({ id, url }) => html`<a class="row-link" href="${base}${prefix}/webhooks/${id}">${url}</a>`,
    },
    { words: 'Description', look: 'wide nowrap soft', cell: ({ description }) => description },
    {
      words: 'Health',
      look: 'nowrap',
      cell: (endpoint) =>
        html`${healthBadge(endpoint)}${
          endpoint.failing_since !== null &&
          html` <span class="muted wide">since ${ago(endpoint.failing_since, now)}</span>`
        }`,
    },
  ],
})}</section>`;
}

function refusedTable({ base, prefix, now }: Call, requests: readonly LoggedRequest[]): Html {
  const own = `${base}${prefix}/requests`;
  return html`<section class="section" aria-labelledby="refused"><div class="section-head"><h2 id="refused">Last refused requests</h2><a href="${own}?outcome=failed">All refused requests</a></div>
${
  requests.length === 0
    ? html`<p class="soft">None.</p>`
    : table({
        caption: 'Last refused requests, newest first',
        items: requests,
        columns: [
          { words: 'Time', look: 'nowrap muted', cell: ({ created_at }) => ago(created_at, now) },
          {
            words: 'Request',
            isHead: true,
            look: 'grow',
            cell: ({ id, method, path }) =>
              html`<a class="row-link mono" href="${own}/${id}"><span class="method">${method}</span> ${path}</a>`,
          },
          { words: 'Status', cell: ({ status }) => statusBadge(status) },
          { words: 'Code', look: 'wide mono soft nowrap', cell: ({ error }) => error?.code },
        ],
      })
}</section>`;
}

interface Step {
  readonly words: string;
  readonly done: boolean;
  /** When it happened. */
  readonly at?: string | null | undefined;
  /** How to do it. */
  readonly how: string;
  readonly command?: string;
}

interface Happened {
  readonly request: LoggedRequest | undefined;
  readonly client: LoggedRequest | undefined;
  readonly endpoint: WebhookEndpoint | undefined;
  readonly deliveries: readonly WebhookDelivery[];
}

function stepsOf({ request, client, endpoint, deliveries }: Happened): readonly Step[] {
  const received = deliveries.find(({ status }) => status === 'succeeded');
  const retried = deliveries.find(({ status, attempt }) => status === 'succeeded' && attempt > 1);
  return [
    {
      words: 'Make a request',
      done: request !== undefined,
      at: request?.created_at,
      how: 'Check your credential.',
      command: 'plat me',
    },
    {
      words: 'Create a client',
      done: client !== undefined,
      at: client?.created_at,
      how: 'Clients are the customers of the tenant.',
      command: 'plat clients create --name Acme',
    },
    {
      words: 'Add a webhook endpoint',
      done: endpoint !== undefined,
      at: endpoint?.created_at,
      how: 'Receive events on this machine.',
      command: 'plat listen --to http://localhost:3000/webhooks',
    },
    {
      words: 'Receive an event',
      done: received !== undefined,
      at: received?.attempted_at,
      how: 'Your receiver answers 2xx.',
      command: 'plat trigger client.created',
    },
    {
      words: 'Handle a retry',
      done: retried !== undefined,
      at: retried?.attempted_at,
      how: 'Answer 500 once. The event arrives again after 30 s.',
    },
  ];
}

function stepItem({ words, done, at, how, command }: Step, now: number): Html {
  if (done) {
    return html`<li class="done"><b>${words}</b><span class="muted"><span class="sr">Done. </span>${at ? ago(at, now) : 'Done'}</span></li>\n`;
  }
  return html`<li><b>${words}</b><span class="muted">${how}</span>${command !== undefined && codeBlock({ label: command.split(' ').slice(0, 2).join(' '), text: command })}</li>\n`;
}
