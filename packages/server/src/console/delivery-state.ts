import type { WebhookDelivery } from '@plat/contract';
import { type Html, html } from '../http/html.ts';
import { CREATION_TIMES, type Filter } from './parts/list.ts';
import { lookUp } from './parts/look-up.ts';

const STATES = { pending: 'Scheduled', succeeded: 'Succeeded', retrying: 'Retrying', failed: 'Failed' } as const;

/** Filters of the deliveries to an endpoint. An attempt is created when it is scheduled, up to hours before it is made. */
export const DELIVERY_FILTERS: readonly Filter[] = [
  { name: 'status', label: 'State', choices: Object.entries(STATES).map(([value, words]) => ({ value, words })) },
  ...CREATION_TIMES,
];

export function stateBadge(status: WebhookDelivery['status']): Html {
  const mood = lookUp({ pending: '', succeeded: 'good', retrying: 'warn', failed: 'bad' }, status) ?? '';
  return html`<span class="badge ${mood}">${lookUp(STATES, status) ?? status}</span>`;
}
