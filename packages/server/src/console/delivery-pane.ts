import type { WebhookDelivery, WebhookEndpoint } from '@plat/contract';
import { DELIVERY_ERROR_REFERENCE } from '@plat/contract/error-reference';
import { type Html, html } from '../http/html.ts';
import { mayEnter } from './access.ts';
import { DELIVERY_FILTERS, stateBadge } from './delivery-state.ts';
import { form } from './forms.ts';
import type { PageCall } from './page-route.ts';
import { answerBadge } from './parts/badge.ts';
import { codeBlock } from './parts/code.ts';
import { copyId, kv } from './parts/kv.ts';
import { queryOf } from './parts/list.ts';
import { referenceOf } from './parts/look-up.ts';
import { pane, problem, referenceText } from './parts/pane.ts';
import { phases } from './parts/phases.ts';
import { duration, instant } from './parts/time.ts';

/** Shows one attempt at an endpoint: why it failed, what the receiver answered, and the resend. */
export function deliveryPane(
  call: PageCall,
  { status: endpointStatus }: WebhookEndpoint,
  delivery: WebhookDelivery,
): Html {
  const { base, prefix, session, query } = call;
  const { id, event_id, event_type, endpoint_id, attempt, response_status, error_class, status, duration_ms } =
    delivery;
  const resend =
    endpointStatus === 'enabled' &&
    mayEnter(session, 'events', 'change') &&
    form(
      { session, action: `${base}${prefix}/events/${event_id}/replay`, hidden: { endpoint_id }, look: 'inline' },
      html`<button type="submit" class="btn btn-primary">Resend</button>`,
    );
  return pane({
    title: html`Attempt ${attempt} of ${event_type}`,
    listPath: `${base}${prefix}/webhooks/${endpoint_id}${queryOf(query, DELIVERY_FILTERS)}`,
    listWords: 'All deliveries',
    meta: html`${answerBadge(response_status, error_class)} ${stateBadge(status)} ${duration_ms !== null && html`<span>${duration(duration_ms)}</span>`}`,
    body: html`${failureOf(delivery)}
<div class="actions">${resend}<a class="btn" href="${base}${prefix}/trace?id=${id}">Open trace</a><a class="btn" href="${base}${prefix}/events/${event_id}">Open event</a></div>
${kv([
  ['Delivery', copyId(id)],
  ['Event', html`<a class="mono" href="${base}${prefix}/events/${event_id}">${event_id}</a>`],
  ['Due', instant(delivery.scheduled_at)],
  ['Sent', delivery.attempted_at === null ? 'Not yet' : instant(delivery.attempted_at)],
  ['Address', delivery.remote_address],
])}
${
  delivery.timings &&
  html`<h3>Time by phase</h3>
${phases(delivery.timings)}`
}
${response_status !== null && html`<h3>Response</h3>${codeBlock({ label: 'Response', text: responseText(delivery) })}`}
<h3>As a command</h3>
${codeBlock({ label: 'This attempt as plat', text: `plat webhooks deliveries get ${id}` })}`,
  });
}

function failureOf({ error_class: code, error, status, response_status }: WebhookDelivery): Html | null {
  if (code === null) return null;
  const { cause, fix } = referenceOf(DELIVERY_ERROR_REFERENCE, code);
  const title = response_status === null ? (error ?? 'The attempt failed') : `The receiver answered ${response_status}`;
  const next = status === 'retrying' ? ' Then resend, or wait for the next attempt.' : ' Then resend the event.';
  return problem('bad', title, referenceText(cause), html`${referenceText(fix)}${next}`);
}

function responseText({ response_status, response_headers, response_body }: WebhookDelivery): string {
  const headers = (response_headers ?? []).map(({ name, value }) => `${name}: ${value}`);
  return [`HTTP ${response_status}`, ...headers, '', response_body ?? ''].join('\n').trimEnd();
}
