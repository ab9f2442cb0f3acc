type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** The part of JSON Schema 2020-12 that rules are made of. It goes into the OpenAPI document as it is. */
export interface JsonSchema {
  /** Names an object: the document holds it once, and refers to it everywhere else. */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: 'date-time' | 'email' | 'uri';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  /** OpenAPI: the property that tells which of `oneOf` it is. */
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
  readonly $ref?: string;
}

/** The JSON type of a value that a rule names. */
export function typeOf(value: string | number | boolean): JsonType {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

/** The same schema, with null beside it. */
export function orNull(json: JsonSchema): JsonSchema {
  const { type, const: only, enum: values = only === undefined ? undefined : [only], ...rest } = json;
  if (json.title !== undefined || type === undefined) return { anyOf: [json, { type: 'null' }] };
  const types = typeof type === 'string' ? [type] : type;
  return { ...rest, type: [...types, 'null'], ...(values ? { enum: [...values, null] } : {}) };
}
