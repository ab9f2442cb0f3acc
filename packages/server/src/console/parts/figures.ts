import { type Html, html } from '../../http/html.ts';

interface Figure {
  readonly label: string;
  readonly value: string;
  /** The number or the limit that explains the value. */
  readonly explained: string;
}

/** Up to four figures in a row. */
export function stats(figures: readonly Figure[]): Html {
  return html`<dl class="stats">${figures.map(
    ({ label, value, explained }) =>
      html`<div class="stat"><dt>${label}</dt><dd>${value}</dd><dd>${explained}</dd></div>\n`,
  )}</dl>`;
}

interface Bar {
  readonly isGood: boolean;
  readonly ms: number;
}

const [WIDTH, HEIGHT] = [720, 72];

/** A bar per attempt, oldest first. Its height is the duration; the bar of a failed attempt is red. */
export function attemptChart(bars: readonly Bar[]): Html {
  const highest = Math.max(1, ...bars.map(({ ms }) => ms));
  const step = WIDTH / Math.max(bars.length, 24);
  const failed = bars.filter(({ isGood }) => !isGood).length;
  const words = `The last ${bars.length} attempts, ${failed} failed, at most ${Math.round(highest)} ms`;
  return html`<figure class="section"><figcaption class="section-head"><span class="soft">Duration of the last ${bars.length} attempts</span><span class="legend"><span><i class="key"></i>Succeeded</span><span><i class="key key-bad"></i>Failed</span></span></figcaption>
<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}">${bars.map(
    ({ isGood, ms }, i) => {
      const height = Math.max(3, (ms / highest) * HEIGHT);
      return html`<rect class="${isGood ? 'ok' : 'err'}" x="${(i * step).toFixed(1)}" y="${(HEIGHT - height).toFixed(1)}" width="${(step * 0.75).toFixed(1)}" height="${height.toFixed(1)}"/>`;
    },
  )}</svg>
<div class="chart-foot"><span>Oldest</span><span>Newest</span></div></figure>`;
}
