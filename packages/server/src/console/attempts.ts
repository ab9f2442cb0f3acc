import type { WebhookDelivery } from '@plat/contract';
import { type Html, html } from '../http/html.ts';
import type { PageCall } from './page-route.ts';
import { answerBadge } from './parts/badge.ts';
import { ago, duration } from './parts/time.ts';

/** Lists the attempts at one endpoint, oldest first. */
export function attemptLines(
  { base, prefix, now }: Pick<PageCall, 'base' | 'prefix' | 'now'>,
  attempts: readonly WebhookDelivery[],
): Html {
  const lines = attempts.map(
    ({
      id,
      attempt,
      response_status,
      error_class,
      status,
      attempted_at,
      scheduled_at,
      timings,
    }) => html`<li class="attempt"><a href="${base}${prefix}/webhooks/deliveries/${id}">Attempt ${attempt}</a> ${
      status === 'pending' ? html`<span class="badge">Scheduled</span>` : answerBadge(response_status, error_class)
    } <span class="muted">${timings && html`${duration(timings.total_ms)}, `}${ago(attempted_at ?? scheduled_at, now)}</span></li>
`,
  );
  return html`<ol>\n${lines}</ol>\n`;
}
