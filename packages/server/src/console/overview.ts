import type { LoggedRequest, WebhookEndpoint } from '@plat/contract';
import { findTenantKey } from '../accounts/api-keys.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { listAuditEvents } from '../resources/audit/audit.service.ts';
import { listRequests } from '../resources/requests/requests.service.ts';
import { type DeliveryDay, deliveryDay } from '../resources/webhook-deliveries/delivery-day.ts';
import { listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { listEndpoints } from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { mayEnter } from './access.ts';
import { TENANT_ENDPOINTS } from './endpoint-form.ts';
import { healthColumn, nameColumns, testForm } from './endpoint-pages.ts';
import type { PageCall } from './page-route.ts';
import { statusBadge } from './parts/badge.ts';
import { attemptStats, hourChart } from './parts/figures.ts';
import { table } from './parts/table.ts';
import { ago } from './parts/time.ts';
import { setup, stepsOf } from './setup-steps.ts';

/** Attempts and endpoints that the steps are read from. */
const RECENT = 100;
const REFUSED = 5;

/** The state of an integration: figures, endpoints, refused requests, and steps that complete when they have happened. */
export async function overview(call: PageCall): Promise<HtmlValue> {
  const { ctx, db, now, session } = call;
  if (!mayEnter(session, 'webhooks', 'read') || !mayEnter(session, 'requests', 'read')) return null;
  const [key, day, deliveries, endpoints, refused, latest, created] = await Promise.all([
    findTenantKey(db, session.tenantId, now),
    deliveryDay(ctx),
    // A backlog of failed attempts must not hide that some arrived.
    listDeliveries(ctx, { status: 'succeeded', limit: RECENT }),
    listEndpoints(ctx, { limit: RECENT }),
    listRequests(ctx, { outcome: 'failed', limit: REFUSED }),
    listRequests(ctx, { outcome: 'succeeded', limit: 1 }),
    session.sandbox
      ? listRequests(ctx, { outcome: 'succeeded', operation: 'clients.create', limit: 1 })
      : // The log of a production tenant need not have successful requests.
        listAuditEvents(ctx, { action: 'client.created', limit: 1 }),
  ]);
  const steps = stepsOf(call, {
    key,
    requestAt: latest.data[0]?.created_at ?? key?.last_used_at,
    clientAt: created.data[0]?.created_at,
    endpoint: endpoints.data.at(-1),
    deliveries: deliveries.data,
  });
  if (endpoints.data.length === 0) {
    return html`<div class="cols"><div><section aria-labelledby="setup" class="stats-level">
${setup(call, steps)}</section>
${refused.data.length > 0 && refusedTable(call, refused.data)}</div>
${sample()}</div>`;
  }
  return html`<div class="cols"><div>
${dayFigures(day)}
${endpointTable(call, endpoints.data)}
${refusedTable(call, refused.data)}</div>
<aside aria-labelledby="setup" class="stats-level">${setup(call, steps)}</aside></div>`;
}

/** Figures of the last 24 h. */
function dayFigures({ since, attempts, due, isCut }: DeliveryDay): HtmlValue {
  if (attempts.length === 0) return null;
  const among = isCut ? `of the latest ${attempts.length} attempts in 24 h` : `of ${attempts.length} attempts in 24 h`;
  return html`${attemptStats(attempts, due, among)}
${hourChart(since, attempts)}`;
}

/** Before the first endpoint: a sample of the figures that will be here. */
function sample(): Html {
  return html`<aside class="sample stats-level" aria-labelledby="sample"><h2 id="sample">Sample of the figures</h2>
<p class="hint">When an endpoint receives events, its real figures are here, with a form for test events in a sandbox.</p>
${attemptStats(SAMPLE, 0, `of ${SAMPLE.length} attempts in 24 h`)}</aside>`;
}

/** Attempts of no endpoint. */
const SAMPLE = Array.from({ length: 40 }, (_, i) => ({ isGood: i !== 7, ms: 38 + ((i * 37) % 90) }));

function endpointTable(call: PageCall, endpoints: readonly WebhookEndpoint[]): Html {
  const { base, prefix, now, session } = call;
  const tested = endpoints.find(({ status }) => status === 'enabled');
  const isFailing = ({ failing_since, status }: WebhookEndpoint) => status === 'enabled' && failing_since !== null;
  const items = [...endpoints].sort((a, b) => Number(isFailing(b)) - Number(isFailing(a))).slice(0, 10);
  return html`<section class="section" aria-labelledby="endpoints"><div class="section-head"><h2 id="endpoints">Endpoints</h2><a href="${base}${prefix}/webhooks">All endpoints</a></div>
${tested && mayEnter(session, 'webhooks', 'change') && testForm(call, tested, TENANT_ENDPOINTS, `${base}${prefix}/webhooks/${tested.id}`)}
${table({
  caption: 'Webhook endpoints, failing ones first',
  items,
  columns: [...nameColumns(`${base}${prefix}/webhooks`), healthColumn(now)],
})}</section>`;
}

function refusedTable({ base, prefix, now }: PageCall, requests: readonly LoggedRequest[]): Html {
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
