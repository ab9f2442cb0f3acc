import type { JsonSchema } from '@plat/contract/schemas';
import { type Html, type HtmlValue, html, isolated } from '../../http/html.ts';
import { badge, type Mood } from './badge.ts';
import { labelOf } from './label.ts';
import { money } from './money.ts';
import { ago, instant } from './time.ts';

/** Colour of a status that is not the usual one. */
const MOODS: Readonly<Record<string, Mood>> = {
  ...{ active: 'good', paid: 'good', succeeded: 'good', completed: 'good' },
  ...{ invited: 'warn', open: 'warn', running: 'warn', suspended: 'bad', failed: 'bad' },
};

/** Words for fields that select nothing to select all. */
export const NO_SELECTION: Readonly<Record<string, string>> = {
  endpoint_id: 'Every endpoint',
  event_types: 'All',
};

export interface ValueFrame {
  /** Time of the page in a table, in ms: times are shown by their distance. Absent beside the facts of one object. */
  readonly now?: number;
  /** Address of the page of an object; null if there is none. */
  readonly hrefOf: (id: string) => string | null;
  /** Id → name and page of the objects that fields refer to. */
  readonly references?: ReadonlyMap<string, { readonly name: string; readonly href: string }>;
}

/** Shows a field of an object of /v1 by the schema of the field. */
export function shownValue(
  schema: JsonSchema,
  name: string,
  object: Readonly<Record<string, unknown>>,
  { now, hrefOf, references }: ValueFrame,
): HtmlValue {
  const value = object[name];
  if (value === null || value === undefined)
    return html`<span class="muted">${(value === null && NO_SELECTION[name]) || 'None'}</span>`;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') {
    const { currency } = object;
    return name.startsWith('amount') && typeof currency === 'string' ? money(value, currency) : value;
  }
  if (Array.isArray(value)) return now === undefined ? shownList(value) : value.length;
  const text = String(value);
  if (schema.format === 'date-time') return now === undefined ? instant(text) : ago(text, now);
  if (name === 'status') return badge(labelOf(text), MOODS[text]);
  if (schema.enum) return labelOf(text);
  const reference = references?.get(text);
  if (reference) return html`<a href="${reference.href}">${isolated(reference.name)}</a>`;
  const href = hrefOf(text);
  if (href !== null) return html`<a class="mono" href="${href}">${text}</a>`;
  return schema.pattern === undefined || schema['x-trim'] ? isolated(text) : html`<span class="mono">${text}</span>`;
}

function shownList(values: readonly unknown[]): Html {
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === 0) return html`<span class="muted">None</span>`;
  return html`${texts.map((text) => html`<code>${text}</code> `)}`;
}
