import type { JsonSchema } from '@plat/contract/schemas';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { OpenApiDocument } from '../../openapi/openapi-document.ts';
import { inlineMarkdown, type LinkOf } from './markdown.ts';

/** Parts that the pages of the reference share. */
export interface Context {
  readonly document: OpenApiDocument;
  /** Address of the console, relative to a page; null without one. */
  readonly console: string | null;
  readonly linkOf: LinkOf;
}

type Schemas = OpenApiDocument['components']['schemas'];

/** Levels of nested objects that a page shows. */
const MAX_DEPTH = 4;

/** Shows the fields of an object with their types, bounds and descriptions; nested objects below their field. */
export function fieldList(context: Context, json: JsonSchema, direction: 'request' | 'answer', depth = 0): HtmlValue {
  const object = objectIn(context.document.components.schemas, json);
  if (object === null) return null;
  const { properties = {}, required = [] } = object;
  const rows = Object.entries(properties).map(([name, field]) => {
    const inner = depth + 1 < MAX_DEPTH ? fieldList(context, field, direction, depth + 1) : null;
    return fieldRow(context, {
      name,
      json: field,
      isRequired: direction === 'request' && required.includes(name),
      inner,
    });
  });
  return rows.length === 0 ? null : html`<dl class="fields">\n${rows}</dl>\n`;
}

interface Field {
  readonly name: string;
  readonly json: JsonSchema;
  readonly isRequired: boolean;
  /** Description, if the schema has none. */
  readonly description?: string;
  /** Fields of the object that the field contains. */
  readonly inner?: HtmlValue;
}

/** Shows one parameter or field. */
export function fieldRow({ document, linkOf }: Context, { name, json, isRequired, description, inner }: Field): Html {
  const { schemas } = document.components;
  const words = description ?? json.description ?? resolved(schemas, json).description;
  const facts = [typeOf(schemas, json), ...boundsOf(json)].join(', ');
  return html`<dt><code>${name}</code> <span>${facts}</span>${isRequired && html` <span class="must">required</span>`}</dt>
<dd>${words === undefined ? null : inlineMarkdown(words, linkOf)}${inner}</dd>
`;
}

function resolved(schemas: Schemas, json: JsonSchema): JsonSchema {
  const name = json.$ref?.split('/').at(-1);
  return name === undefined ? json : (schemas[name] ?? {});
}

/** Returns the object that a schema is, contains in a list, or allows beside null. Null for other values. */
function objectIn(schemas: Schemas, json: JsonSchema): JsonSchema | null {
  const schema = resolved(schemas, json);
  if (schema.properties) return schema;
  const inner = schema.items ?? [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])][0];
  return inner ? objectIn(schemas, inner) : null;
}

function typeOf(schemas: Schemas, json: JsonSchema): string {
  const schema = resolved(schemas, json);
  const { type, items, enum: values, const: only, anyOf, oneOf, allOf, format } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const isNullable = [type].flat().includes('null');
  if (items) return `list of ${typeOf(schemas, items)}${isNullable ? ' or null' : ''}`;
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(schemas, choice)))].join(' or ');
  if (format === 'date-time') return isNullable ? 'time or null' : 'time';
  return [type ?? 'any value'].flat().join(' or ');
}

function boundsOf({
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
  default: absent,
}: JsonSchema): string[] {
  return [
    ...(maxLength === undefined ? [] : [`${minLength ? `${minLength} to ` : 'up to '}${maxLength} characters`]),
    ...(minimum === undefined || maximum === undefined ? [] : [`${minimum} to ${maximum}`]),
    ...(maxItems === undefined ? [] : [`${minItems ? `${minItems} to ` : 'up to '}${maxItems} items`]),
    ...(absent === undefined ? [] : [`default ${JSON.stringify(absent)}`]),
  ];
}
