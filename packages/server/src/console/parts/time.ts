import { type Html, html } from '../../http/html.ts';
import { DAY_MS } from '../../kernel/clock.ts';

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/**
 * Shows how long ago something was, and the minute of what is older than a day: people look for a time of yesterday. The
 * instant is the title. The script shows both in the viewer's zone.
 */
export function ago(iso: string, now: number): Html {
  const ms = Date.parse(iso) - now;
  const words = ms > -DAY_MS ? distance(ms) : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
  return html`<time class="ago" datetime="${iso}" title="${utc(iso)}">${words}</time>`;
}

/** Shows how long ago something was that need not have happened. */
export function agoOrNever(iso: string | null | undefined, now: number): Html {
  return iso === null || iso === undefined ? html`Never` : ago(iso, now);
}

/** Shows an instant to the second, in UTC. The script shows it in the viewer's zone, with UTC beside it. */
export function instant(iso: string): Html {
  return html`<time datetime="${iso}" title="${utc(iso)}">${utc(iso)}</time>`;
}

/** Shows the time of day to the ms, beside a date that names the zone. */
export function clock(iso: string): Html {
  return html`<time class="clock" datetime="${iso}" title="${utc(iso)}">${iso.slice(11, 23)}</time>`;
}

/** Shows the date of a timeline's first instant, with the zone of all its times. */
export function date(iso: string): Html {
  return html`<time class="day" datetime="${iso}">${iso.slice(0, 10)} UTC</time>`;
}

/** Shows the date of a later instant if it is another one than that of the first. */
export function laterDate(iso: string, first: string): Html {
  const day = iso.slice(0, 10);
  return html`<time class="day" datetime="${iso}" data-root="${first}">${day !== first.slice(0, 10) && day}</time>`;
}

/** Formats a number of ms for people. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`;
  return span(Math.round(ms / 1000));
}

function distance(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (seconds < 1) return 'now';
  return ms > 0 ? `in ${span(seconds)}` : `${span(seconds)} ago`;
}

function span(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

function utc(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
