import type { WebhookDelivery } from '@plat/contract';
import { type Html, html } from '../http/html.ts';
import type { Filter } from './parts/list.ts';

const STATES = { pending: 'Scheduled', succeeded: 'Succeeded', retrying: 'Retrying', failed: 'Failed' } as const;

/** Filters of the deliveries to an endpoint. */
export const DELIVERY_FILTERS: readonly Filter[] = [
  { name: 'status', label: 'State', choices: Object.entries(STATES).map(([value, words]) => ({ value, words })) },
];

export function stateBadge(status: WebhookDelivery['status']): Html {
  const mood = { pending: '', succeeded: 'good', retrying: 'warn', failed: 'bad' }[status];
  return html`<span class="badge ${mood}">${STATES[status]}</span>`;
}
