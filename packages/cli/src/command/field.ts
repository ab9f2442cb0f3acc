import type { FormatName, JsonSchema } from '@plat/contract/schemas';

/** How a value is written on the command line. */
export type FieldKind = 'text' | 'integer' | 'texts' | 'time' | 'flag';

/** One field of a query or body, as an option of a command. */
export interface Field {
  readonly kind: FieldKind;
  readonly summary: string;
  /** The word in angle brackets; a flag has none. */
  readonly placeholder: string;
  /** The only accepted values. */
  readonly values?: readonly string[];
  /** `--no-<name>` sends null. */
  readonly nullable: boolean;
  readonly required: boolean;
  /** Help of `--no-<name>` of a flag. */
  readonly off?: string;
}

/** Fields by name, in the order of the schema. */
export type Fields = readonly (readonly [name: string, field: Field])[];

/** Returns the options for the properties of a query or body. A second name of the same field has no option. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Fields {
  return Object.entries(properties)
    .filter(([, property]) => property['x-same-as'] === undefined)
    .map(([name, property]) => [name, fieldOf(name, property, required.includes(name))]);
}

function fieldOf(name: string, schema: JsonSchema, required: boolean): Field {
  const kind = kindOf(schema);
  const element = schema.items ?? schema;
  const values = isOpen(element) ? undefined : element.enum?.map(String);
  const word = values ? wordOfValues(values) : wordOf(name, element);
  return {
    kind,
    summary: `${phraseOf(schema.description ?? name)}${noteOf(kind, schema)}`,
    placeholder: kind === 'flag' ? '' : kind === 'texts' ? `${word},…` : word,
    ...(values && { values }),
    ...(kind === 'flag' && { off: OFF_OF_NAME[name] ?? `set ${name} to false` }),
    nullable: typesOf(schema).includes('null'),
    required,
  };
}

function kindOf(schema: JsonSchema): FieldKind {
  if (schema.format === 'date-time') return 'time';
  const types = typesOf(schema);
  if (types.includes('array')) return 'texts';
  if (types.includes('integer')) return 'integer';
  return types.includes('boolean') ? 'flag' : 'text';
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : (type ?? []);
}

/** Lists that the service extends over time. It checks their values itself, so that an older CLI can send newer ones. */
const WORD_OF_OPEN_TYPE: Readonly<Record<string, string>> = {
  EventType: 'type',
  "EventType | '*'": 'type',
  AppEventType: 'app_event_type',
  "AppEventType | '*'": 'app_event_type',
  Scope: 'scope',
  ErrorCode: 'code',
  OperationName: 'operation',
};

function isOpen(schema: JsonSchema): boolean {
  return Object.hasOwn(WORD_OF_OPEN_TYPE, schema['x-type'] ?? '');
}

const WORD_OF_FORMAT: { readonly [F in FormatName]?: string } = {
  country: 'country',
  domain: 'domain',
  email: 'address',
  locale: 'tag',
  'time-zone': 'zone',
  timestamp: 'time',
};

/** Words for fields whose schema has no telling format. */
const WORD_OF_NAME: Readonly<Record<string, string>> = {
  action: 'action',
  capabilities: 'id',
  module: 'slug',
  name: 'name',
  redirect_uris: 'url',
  role: 'name',
  slug: 'slug',
  url: 'url',
  website: 'url',
};

/** Help of `--no-<name>`. */
const OFF_OF_NAME: Readonly<Record<string, string>> = { default: 'do not make it the default' };

function wordOf(name: string, schema: JsonSchema): string {
  const { 'x-format': format = 'single-line', 'x-type': type = '' } = schema;
  if (typesOf(schema).includes('integer')) return /(^|_)(seconds|expires_in)$/.test(name) ? 'seconds' : 'n';
  if (/(^|_)id$/.test(name) || ['starting_after', 'ending_before'].includes(name)) return 'id';
  return WORD_OF_OPEN_TYPE[type] ?? WORD_OF_NAME[name] ?? WORD_OF_FORMAT[format] ?? 'text';
}

function wordOfValues(values: readonly string[]): string {
  return values.length <= 3 ? values.join('|') : 'value';
}

/**
 * Returns a description as help shows it: one phrase without Markdown, in lower case unless it starts with an acronym.
 * A sentence about null is left out, since `--no-<name>` says how a field is unset.
 */
function phraseOf(description: string): string {
  const sentences = description.replaceAll('`', '').replace(/\.$/, '').split(/\.\s+/);
  return sentences
    .filter((sentence) => !/^null when /i.test(sentence))
    .map((sentence) => sentence.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()))
    .join('; ');
}

/** Returns the accepted form of a value, where the phrase does not say it: bounds, the prefix of an id, or an example. */
function noteOf(kind: FieldKind, schema: JsonSchema): string {
  const { minimum, maximum, examples: [example] = [], pattern = '' } = schema;
  if (kind === 'time') return ' (ISO 8601, or an age such as 24h)';
  if (kind === 'integer' && minimum !== undefined && maximum !== undefined) return ` (${minimum} to ${maximum})`;
  const [, prefix] = /^\^([a-z]+)_\[/.exec(pattern) ?? [];
  if (prefix !== undefined) return ` (${prefix}_…)`;
  const isHelpful = EXAMPLE_HELPS.has(schema['x-format'] ?? 'single-line') || isOpen(schema);
  return isHelpful && example !== undefined ? ` (such as ${String(example)})` : '';
}

const EXAMPLE_HELPS: ReadonlySet<FormatName> = new Set(['country', 'domain', 'locale', 'time-zone']);
