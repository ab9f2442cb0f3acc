import type { WebhookDeliveryTimings } from '@plat/contract';
import { type Html, html } from '../../http/html.ts';

/** Width of the picture in its units. */
const WIDTH = 400;

/** Shows the phases of an attempt as a bar, and in words. */
export function phases({ dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms }: WebhookDeliveryTimings): Html {
  const known = [
    { name: 'DNS', ms: dns_ms, look: 'net' },
    { name: 'connect', ms: connect_ms, look: 'net' },
    { name: 'TLS', ms: tls_ms, look: 'net' },
    { name: 'first byte', ms: first_byte_ms, look: 'wait' },
  ].filter((phase): phase is typeof phase & { readonly ms: number } => phase.ms !== null);
  const words = [...known.map(({ name, ms }) => `${name} ${ms} ms`), `total ${total_ms} ms`].join(' · ');
  const scale = WIDTH / Math.max(1, total_ms);
  let start = 0;
  const bars = known.map(({ ms, look }) => {
    const x = start;
    start += ms * scale;
    return html`<rect class="${look}" x="${x.toFixed(1)}" width="${Math.max(1, ms * scale - 1).toFixed(1)}" height="8"/>`;
  });
  return html`<svg class="phases" viewBox="0 0 ${WIDTH} 8" preserveAspectRatio="none" role="img" aria-label="Time by phase: ${words}"><rect class="track" width="${WIDTH}" height="8" rx="2"/>${bars}</svg>
<p class="hint">${words}</p>`;
}
