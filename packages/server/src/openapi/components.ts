import type { JsonSchema } from '@plat/contract/schemas';
import { exampleOf } from '../http/example.ts';
import type { Content, Example, Ref } from './openapi-document.ts';

/** Direction of a schema. The server is strict about requests; callers must accept new fields in responses. */
export type Direction = 'request' | 'answer';

/** Collects the components of the document, to which other parts refer. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly examples: Readonly<Record<string, Example>>;
  /** Returns the JSON content of a schema, with its example. */
  content(json: JsonSchema, direction: Direction): Content;
  addExample(name: string, example: Example): Ref;
}

export function createComponents(): Components {
  const schemas: Record<string, JsonSchema> = {};
  const examples: Record<string, Example> = {};

  function refer(json: JsonSchema, direction: Direction): JsonSchema {
    const { title, ...shown } = withoutExtensions(mapSchemas(json, (inner) => refer(inner, direction)));
    // Responses may gain fields within a version (specification, Versioning 3).
    if (direction === 'answer' && shown.additionalProperties === false) delete shown.additionalProperties;
    return title === undefined ? shown : keep(schemas, 'schemas', componentName(title), shown);
  }

  const addExample = (name: string, example: Example): Ref => keep(examples, 'examples', name, example);

  return {
    schemas,
    examples,
    content(json, direction) {
      if (json.title === undefined) throw new Error(`a body or an answer has no title: ${JSON.stringify(json)}`);
      const name = componentName(json.title);
      const example = addExample(name, { value: exampleOf(json) });
      return { 'application/json': { schema: refer(json, direction), examples: { [name]: example } } };
    },
    addExample,
  };
}

/** Returns the name of a component, from the title of its schema. */
function componentName(title: string): string {
  return RENAMED[title] ?? title.replace(/Params$/, '');
}

/** Names of types whose plain name is taken in TypeScript. */
const RENAMED: Readonly<Record<string, string>> = {
  LoggedRequest: 'Request',
  LoggedRequestList: 'RequestList',
  PlatformEvent: 'Event',
  PlatformEventList: 'EventList',
};

/** Removes the keywords that only this project's programs use. */
export function withoutExtensions(schema: JsonSchema): MutableSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-')));
}

/** Adds a component. Two different components must not have the same name. */
function keep<T>(all: Record<string, T>, kind: string, name: string, value: T): Ref {
  const known = all[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
    throw new Error(`two different components/${kind} are named ${name}: give one of them another name`);
  }
  all[name] = value;
  return { $ref: `#/components/${kind}/${name}` };
}

type MutableSchema = { -readonly [K in keyof JsonSchema]: JsonSchema[K] };

/** Copies a schema and replaces each of its direct subschemas. */
function mapSchemas(json: JsonSchema, change: (inner: JsonSchema) => JsonSchema): MutableSchema {
  const { properties, additionalProperties, items, anyOf, oneOf, allOf, discriminator } = json;
  return {
    ...json,
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(inner)])) }
      : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: change(additionalProperties) } : {}),
    ...(items ? { items: change(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(change) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(change) } : {}),
    ...(allOf ? { allOf: allOf.map(change) } : {}),
    ...(discriminator?.mapping
      ? { discriminator: { ...discriminator, mapping: references(discriminator.mapping) } }
      : {}),
  };
}

function references(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([value, name]) => [value, `#/components/schemas/${name}`]));
}
