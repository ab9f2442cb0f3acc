import type { IdKind } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import type { JsonSchema } from './json-schema.ts';
import { anyString, id, string, time } from './texts.ts';
import { always, array, boolean, integer } from './values.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** Schema of an object of a response: every field is present. */
export function answer(title: string, description: string, properties: Properties): JsonSchema {
  return { title, ...object(properties, Object.keys(properties)), description };
}

/** Schema of a query or a body: only the required fields must be present. Unknown fields are refused. */
export function params<P extends Properties>(
  title: string,
  description: string,
  properties: P,
  required: readonly (keyof P & string)[] = [],
): JsonSchema {
  return { title, ...object(properties, required), description };
}

/** Schema of an unnamed part of another object. */
export function inline(description: string, properties: Properties): JsonSchema {
  return { ...object(properties, Object.keys(properties)), description };
}

/** Schema of an unnamed object with exactly these fields. */
export function object(properties: Properties, required: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Schema of a partial update: absent fields keep their value. */
export function changes(title: string, properties: Properties): JsonSchema {
  return params(title, 'The fields to change. Absent fields keep their value.', properties);
}

/** Schema of an object with any field names, whose values all have one schema. */
export function recordOf(values: JsonSchema, description: string, example: object): JsonSchema {
  return { type: 'object', additionalProperties: values, description, examples: [example] };
}

/** Schema of a field that holds a named object. The field and the object each have their own description. */
export function field(schema: JsonSchema, description: string): JsonSchema {
  return { allOf: [schema], description };
}

/** Returns the schema with another description. */
export function described(schema: JsonSchema, description: string, example?: unknown): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}

/** Returns the schema with null as a further value. The example determines which of the two the document shows. */
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

/** The field `created_at` of every object. */
export const created_at = time('Creation time.');
/** The fields `created_at` and `updated_at`. */
export const times = { created_at, updated_at: time('Time of the last change.') };

/** The query parameters of every list. */
export const page = {
  limit: { ...integer(1, LIMITS.page.max, `Page size; ${LIMITS.page.default} when absent.`) },
  starting_after: anyString(
    'Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id.',
  ),
  ending_before: anyString(
    'Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id.',
  ),
};

/** Query of a list without filters. */
export const listParams = params('ListParams', 'Query parameters that every list takes.', page);

/** Schema of the response to a DELETE request. */
export function deleted(kind: string, idKind: IdKind): JsonSchema {
  const title = `Deleted${kind.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}`;
  const fields = { object: always(kind), id: id(idKind), deleted: DELETED };
  return { ...answer(title, 'The deleted object.', fields), 'x-type': `Deleted<'${kind}'>` };
}

const DELETED: JsonSchema = { type: 'boolean', const: true, description: 'Always `true`.' };

/** Schema of the list envelope for objects of one kind. */
export function listOf(item: JsonSchema): JsonSchema {
  const { title = '', 'x-type': type = title } = item;
  const fields = {
    object: always('list'),
    data: array(item, 'The objects of the page, newest first.'),
    has_more: boolean('True if more objects follow in the direction of the cursor.'),
    url: string('Path of the request without its query.', '/v1/clients'),
  };
  const next_cursor = anyString(
    'Cursor at which the list continues, for `starting_after`, or for `ending_before` if the request had that. Present only if the server examined its maximum number of objects for the filters: the page is then shorter than its limit, and can be empty.',
  );
  const envelope = object({ ...fields, next_cursor }, Object.keys(fields));
  return { title: `${title}List`, ...envelope, description: 'A page of a list.', 'x-type': `List<${type}>` };
}
