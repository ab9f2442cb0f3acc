import { type Html, html } from '../http/html.ts';
import type { ApiObject } from './api-operation.ts';
import { labelOf } from './parts/label.ts';
import { money } from './parts/money.ts';
import { table } from './parts/table.ts';

/** Progress of a replay. */
export function replayProgress({ status, examined_count, scheduled_count, total_count }: ApiObject): Html {
  const [done, scheduled] = [Number(examined_count), Number(scheduled_count)];
  const isOver = status === 'completed' || status === 'canceled';
  const total = total_count === null ? null : Number(total_count);
  const words =
    total === null
      ? 'The events are being counted.'
      : `${done} of ${total} events examined, ${scheduled} deliveries scheduled.`;
  return html`<section class="section" aria-labelledby="progress"${!isOver && html` data-refresh`}><h2 id="progress">Progress</h2>
<p><progress class="progress" aria-labelledby="progress" max="${Math.max(1, total ?? 1)}" value="${isOver ? Math.max(1, total ?? 1) : done}"></progress></p>
<p class="hint">${labelOf(String(status))}. ${words}</p>
${!isOver && html`<p><a class="btn" href="">Refresh</a></p>`}</section>`;
}

/** The lines of an invoice, and the amount that is still to pay, which the API does not name. */
export function invoiceLines({ lines, currency, status, amount_due, amount_paid }: ApiObject): Html {
  const [due, paid] = [Number(amount_due), Number(amount_paid)];
  const isPartlyPaid = status === 'open' && paid > 0;
  const items = lines as readonly {
    readonly description: string;
    readonly quantity: number;
    readonly amount: number;
  }[];
  return html`<section class="section" aria-labelledby="lines"><h2 id="lines">Lines</h2>
${table({
  caption: 'Lines of the invoice',
  items,
  columns: [
    { words: 'Item', isHead: true, look: 'grow', cell: ({ description }) => description },
    { words: 'Quantity', look: 'num', cell: ({ quantity }) => quantity },
    { words: 'Amount', look: 'num nowrap', cell: ({ amount }) => money(amount, String(currency)) },
  ],
})}${isPartlyPaid && html`<p>${money(due - paid, String(currency))} of ${money(due, String(currency))} is still to pay.</p>`}</section>`;
}
