/** The JSON types that the schemas of the contract use. */
export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** Names of the formats of the API. */
export type FormatName =
  | 'country'
  | 'domain'
  | 'email'
  | 'locale'
  | 'multi-line'
  | 'single-line'
  | 'time-zone'
  | 'timestamp';

/** The part of JSON Schema 2020-12 that the contract uses. The OpenAPI document shows it without the `x-` keywords. */
export interface JsonSchema {
  /** Name of the TypeScript type. */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** Only formats that every validator knows: Ajv refuses a schema with an unknown one. */
  readonly format?: 'date-time';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  /** Only `not.required` is checked: two names of one field that exclude each other. */
  readonly not?: { readonly required: readonly string[] };
  /** OpenAPI: the property that selects one of `oneOf`, with the title of the schema for each of its values. */
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  /** Only in the OpenAPI document, in place of a schema with a title. */
  readonly $ref?: string;
  /** Error message for text that `pattern` refuses. */
  readonly 'x-message'?: string;
  /** Format of the API, with a check of its own. */
  readonly 'x-format'?: FormatName;
  /** TypeScript type, where it is more than the schema says: the name of a union, or a generic type. */
  readonly 'x-type'?: string;
  /** Leading and trailing white space is removed before the check. */
  readonly 'x-trim'?: true;
  /** The same field under another name, which the CLI offers instead. */
  readonly 'x-same-as'?: string;
}
