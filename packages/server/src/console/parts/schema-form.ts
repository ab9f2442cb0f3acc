import type { JsonSchema } from '@plat/contract/schemas';
import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';
import {
  type Choice,
  checkField,
  fieldset,
  linesField,
  numberOrText,
  type Problems,
  selectField,
  textField,
} from '../forms.ts';
import { enteredTime, TIME_HINT } from './entered-time.ts';
import { labelOf } from './label.ts';
import { referenceText } from './pane.ts';
import { NO_SELECTION } from './schema-value.ts';

/** The fields of a form as typed, valid or not. A ticked item of a list is one field: `capabilities.orders:read`. */
export type Typed = Readonly<Record<string, string>>;

/** Values that a field can have, if its schema does not name them. */
export interface FieldChoices {
  readonly values: readonly Choice[];
  /** True if there are no others. */
  readonly isComplete: boolean;
  /** Sentence about the choice, after the description of the field. */
  readonly hint?: string;
  /** Names the object in the field, after the hint. */
  readonly current?: Html | undefined;
  /** Maximum length of a text that stands for a value; that of the value when absent. */
  readonly maxLength?: number;
}

interface SchemaForm {
  readonly schema: JsonSchema;
  readonly typed: Typed;
  readonly problems: Problems;
  readonly choices: Readonly<Record<string, FieldChoices>>;
  /** True for the creation of an object, whose required fields are marked. */
  readonly isNew: boolean;
}

/** Builds a field for each property of a schema of /v1: name, description, values and limits are those of the API. */
export function schemaFields({ schema, typed, problems, choices, isNew }: SchemaForm): readonly Html[] {
  return fieldsOf(schema).map(([name, field]) => {
    const isRequired = isNew && (schema.required ?? []).includes(name);
    const isOptional = isNew ? !isRequired : typesOf(field).includes('null');
    const label = `${labelOf(name)}${isOptional && !isBox(field) ? ' (optional)' : ''}`;
    const value = typed[name] ?? '';
    const items = field.items?.enum?.map((one) => ({ value: String(one), words: String(one) })) ?? [];
    const known = choices[name] ?? { values: items, isComplete: false };
    const values = field.enum?.map((one) => ({ value: String(one), words: labelOf(String(one)) })) ?? known.values;
    const hint = hintOf(name, field, { ...known, values });
    const shown = { name, label, problems, hint: known.current ? html`${hint} ${known.current}` : hint };
    if (isBox(field)) return checkField({ ...shown, isChosen: value === 'on' });
    if (typesOf(field).includes('array')) return boxes(shown, known.values, typed);
    if (field.enum || known.isComplete) {
      // Without a value, the API chooses that of a field that cannot be null.
      const absent = NO_SELECTION[name] ?? (field.enum && !typesOf(field).includes('null') ? 'Default' : 'None');
      const none = { value: '', words: isRequired ? 'Choose' : absent };
      return selectField({ ...shown, value }, isOptional || value === '' ? [none, ...values] : values);
    }
    if (field['x-format'] === 'multi-line') return linesField({ ...shown, value, rows: 3, isRequired });
    const maxLength = known.maxLength ?? field.maxLength ?? 40;
    return textField({ ...shown, value, type: typeOf(field), maxLength, isRequired, suggestions: values });
  });
}

/** Names of the fields of a form, in their order. */
export function fieldNames(schema: JsonSchema): readonly string[] {
  return fieldsOf(schema).map(([name]) => name);
}

/** Returns an object of /v1 as the fields of a form. */
export function typedObject(schema: JsonSchema, object: Readonly<Record<string, unknown>>): Typed {
  const pairs = fieldsOf(schema).flatMap(([name]): [string, string][] => {
    const value = object[name] ?? object[sameAs(schema, name) ?? ''];
    if (Array.isArray(value)) return value.map((item) => [`${name}.${item}`, 'on']);
    if (typeof value === 'boolean') return value ? [[name, 'on']] : [];
    return [[name, value === null || value === undefined ? '' : String(value)]];
  });
  return Object.fromEntries(pairs);
}

/**
 * Returns the fields of a form as the body of an operation: of an existing object, only the changed ones. The operation
 * checks them.
 */
export function bodyFrom(
  schema: JsonSchema,
  posted: Typed,
  before: Typed | null,
  now: number,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(schema)) {
    const value = valueFrom(field, name, posted, now);
    const isSame = before !== null && JSON.stringify(value) === JSON.stringify(valueFrom(field, name, before, now));
    // An empty optional field of a new object is absent, so that the API chooses its value.
    const isAbsent = before === null && isEmpty(value) && !(schema.required ?? []).includes(name);
    if (!isSame && !isAbsent) body[name] = value;
  }
  return body;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

function valueFrom(field: JsonSchema, name: string, typed: Typed, now: number): unknown {
  if (isBox(field)) return typed[name] === 'on';
  if (typesOf(field).includes('array')) {
    const start = `${name}.`;
    const ticked = Object.keys(typed).filter((key) => key.startsWith(start) && typed[key] === 'on');
    return ticked.map((key) => key.slice(start.length)).sort();
  }
  // A text that was pasted often has white space around it.
  const text = (typed[name] ?? '').trim().replaceAll('\r\n', '\n');
  if (text === '' && typesOf(field).includes('null')) return null;
  if (field.format === 'date-time') return enteredTime(text, now);
  return typesOf(field).includes('integer') ? numberOrText(text) : text;
}

function boxes(shown: Parameters<typeof fieldset>[0], values: readonly Choice[], typed: Typed): Html {
  const { name } = shown;
  const known = values.map(({ value }) => value);
  const start = `${name}.`;
  // An item that is not offered any more stays, unless its box is cleared.
  const kept = Object.keys(typed).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
  const all = [...new Set([...known, ...kept])].sort();
  const items = all.map(
    (value) =>
      html`<label class="check"><input type="checkbox" name="${name}.${value}" value="on"${typed[start + value] === 'on' && html` checked`}> <code>${value}</code></label>\n`,
  );
  return fieldset(shown, html`<div class="checks">${items}</div>`);
}

/** Returns the fields of an object, without other names of the same field. */
export function fieldsOf({ properties = {} }: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return Object.entries(properties).filter(([, field]) => field['x-same-as'] === undefined);
}

/** Returns the other name of a field. */
function sameAs({ properties = {} }: JsonSchema, name: string): string | undefined {
  return Object.entries(properties).find(([, field]) => field['x-same-as'] === name)?.[0];
}

function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

function isBox(field: JsonSchema): boolean {
  return typesOf(field).includes('boolean');
}

/** Browsers refuse addresses that the API accepts, so an e-mail address is a text here. */
function typeOf(field: JsonSchema): 'text' | 'number' {
  return typesOf(field).includes('integer') ? 'number' : 'text';
}

/**
 * Returns the description of a field for a person at a form: with the words of its values, and without null, which is an
 * empty field. Adds how a time is written, and the range of a number. Leaves out words that repeat the label.
 */
function hintOf(
  name: string,
  { description = '', format, minimum, maximum }: JsonSchema,
  { values, hint }: Pick<FieldChoices, 'values' | 'hint'>,
): Html | undefined {
  const wordsOf = new Map(values.map(({ value, words }) => [value, words]));
  const sentence = description
    .replace(/; null [^.;]*(?=[.;])/, '')
    .replace(/`(\w+)`/g, (code, value: string) => wordsOf.get(value) ?? code);
  const isLabel = sentence.startsWith(labelOf(name)) && /^[\w ]+ of the \w+\.$/.test(sentence);
  const range = minimum !== undefined && maximum !== undefined && `From ${minimum} to ${maximum}.`;
  const parts = [!isLabel && sentence, format === 'date-time' && TIME_HINT, range, hint].filter((part) => part);
  return parts.length === 0 ? undefined : referenceText(parts.join(' '));
}
