import type { IdKind } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import type { JsonSchema } from './json-schema.ts';
import { anyString, id, string, time } from './texts.ts';
import { always, array, boolean, integer } from './values.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object of an answer: every field is present. */
export function answer(title: string, description: string, properties: Properties): JsonSchema {
  return { title, ...object(properties, Object.keys(properties)), description };
}

/** A query or a body: only the required fields have to be present. Unknown fields are refused. */
export function params<P extends Properties>(
  title: string,
  description: string,
  properties: P,
  required: readonly (keyof P & string)[] = [],
): JsonSchema {
  return { title, ...object(properties, required), description };
}

/** A part of another object without a name of its own. */
export function inline(description: string, properties: Properties): JsonSchema {
  return { ...object(properties, Object.keys(properties)), description };
}

/** An object of exactly these fields, without a name. */
export function object(properties: Properties, required: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** A body whose fields may all be absent: those that are absent stay as they are. */
export function changes(title: string, properties: Properties): JsonSchema {
  return params(title, 'The fields to change; those that are absent stay as they are.', properties);
}

/** An object whose values follow one schema, whatever their names. */
export function recordOf(values: JsonSchema, description: string, example: object): JsonSchema {
  return { type: 'object', additionalProperties: values, description, examples: [example] };
}

/** A named object as a field, with the description of the field. The object keeps its own description. */
export function field(schema: JsonSchema, description: string): JsonSchema {
  return { allOf: [schema], description };
}

/** The same schema with other words. */
export function described(schema: JsonSchema, description: string, example?: unknown): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}

/** The same schema, with null beside it. The example tells which of the two the document shows. */
export function nullable(schema: JsonSchema, example?: unknown): JsonSchema {
  const examples = example === undefined ? {} : { examples: [example] };
  const { type, enum: values, allOf } = schema;
  if (type === undefined) {
    const { description = '' } = schema;
    return { anyOf: [...(allOf ?? []), { type: 'null' }], description, ...examples };
  }
  const types = typeof type === 'string' ? [type] : type;
  return { ...schema, type: [...types, 'null'], ...(values ? { enum: [...values, null] } : {}), ...examples };
}

/** The times of every object. */
export const created_at = time('When it was created.');
/** The fields `created_at` and `updated_at`. */
export const times = { created_at, updated_at: time('When it last changed.') };

/** The query parameters of every list. */
export const page = {
  limit: { ...integer(1, LIMITS.page.max, `Page size; ${LIMITS.page.default} when absent.`) },
  starting_after: anyString('The last `id` of a page: answers the page that follows it.'),
  ending_before: anyString('The first `id` of a page: answers the page before it.'),
};

/** A list that has no filters. */
export const listParams = params('ListParams', 'Query parameters that every list takes.', page);

/** The answer to a DELETE. */
export function deleted(kind: string, idKind: IdKind): JsonSchema {
  const title = `Deleted${kind.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}`;
  const fields = { object: always(kind), id: id(idKind), deleted: DELETED };
  return { ...answer(title, 'The deleted object.', fields), 'x-type': `Deleted<'${kind}'>` };
}

const DELETED: JsonSchema = { type: 'boolean', const: true, description: 'Always `true`.' };

/** The list envelope around objects of one kind. */
export function listOf(item: JsonSchema): JsonSchema {
  const { title = '', 'x-type': type = title } = item;
  const fields = {
    object: always('list'),
    data: array(item, 'The objects of the page, newest first.'),
    has_more: boolean('true when more objects follow in the direction of travel.'),
    url: string('The path of the request, without its query.', '/v1/clients'),
  };
  return { ...answer(`${title}List`, 'A page of a list.', fields), 'x-type': `List<${type}>` };
}
