import { type Html, html } from '../../http/html.ts';
import { duration } from './time.ts';

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

/** Success rate, response times and due attempts. `among` names the attempts: `of 617 attempts in 24 h`. */
export function attemptStats(made: readonly Bar[], due: number, among: string): Html {
  const good = made.filter(({ isGood }) => isGood).length;
  const times = made.map(({ ms }) => ms).sort((a, b) => a - b);
  const quantile = (share: number) =>
    duration(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return stats([
    {
      label: 'Success',
      value: `${((good / made.length) * 100).toFixed(1).replace(/\.0$/, '')} %`,
      explained: `${good} ${among}`,
    },
    { label: 'Response time p95', value: quantile(0.95), explained: `p50 ${quantile(0.5)}, limit 10 s` },
    { label: 'Due', value: String(due), explained: due === 0 ? 'nothing waits' : 'scheduled attempts' },
  ]);
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

const HOUR_MS = 60 * 60 * 1000;
const HOURS = 24;

/** A bar per hour, oldest first. Its height is the number of attempts; the failed ones are the red part at the bottom. */
export function hourChart(since: number, attempts: readonly (Bar & { readonly at: number })[]): Html {
  const hours = Array.from({ length: HOURS }, () => ({ all: 0, failed: 0 }));
  for (const { at, isGood } of attempts) {
    const hour = hours[Math.min(HOURS - 1, Math.floor((at - since) / HOUR_MS))];
    if (!hour) continue;
    hour.all++;
    if (!isGood) hour.failed++;
  }
  const highest = Math.max(1, ...hours.map(({ all }) => all));
  const failed = attempts.filter(({ isGood }) => !isGood).length;
  const step = WIDTH / HOURS;
  const bar = (look: string, i: number, from: number, count: number) => {
    const height = count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT);
    return (
      count > 0 &&
      html`<rect class="${look}" x="${(i * step).toFixed(1)}" y="${(HEIGHT - from - height).toFixed(1)}" width="${(step * 0.75).toFixed(1)}" height="${height.toFixed(1)}"/>`
    );
  };
  const words = `${attempts.length} attempts in 24 h, ${failed} failed, at most ${highest} in an hour`;
  return html`<figure class="section"><figcaption class="section-head"><span class="soft">Attempts per hour</span><span class="legend"><span><i class="key"></i>Succeeded</span><span><i class="key key-bad"></i>Failed</span></span></figcaption>
<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}">${hours.map(
    ({ all, failed: bad }, i) => {
      const below = bad === 0 ? 0 : Math.max(2, (bad / highest) * HEIGHT);
      return html`${bar('err', i, 0, bad)}${bar('ok', i, below, all - bad)}`;
    },
  )}</svg>
<div class="chart-foot"><span>24 h ago</span><span>Now</span></div></figure>`;
}
