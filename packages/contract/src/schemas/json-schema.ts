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
  /** Description of the value for people. */
  readonly description?: string;
  /** Example values; the first one is shown. */
  readonly examples?: readonly unknown[];
  /** Value of an absent field. */
  readonly default?: unknown;
  /** Accepted JSON types. */
  readonly type?: JsonType | readonly JsonType[];
  /** The only accepted value. */
  readonly const?: unknown;
  /** The accepted values. */
  readonly enum?: readonly unknown[];
  /** A format that every validator supports. Ajv refuses a schema with an unknown format. */
  readonly format?: 'date-time';
  /** Regular expression that the text matches (flag `u`). */
  readonly pattern?: string;
  /** Minimum length in characters. */
  readonly minLength?: number;
  /** Maximum length in characters. */
  readonly maxLength?: number;
  /** Smallest accepted number. */
  readonly minimum?: number;
  /** Largest accepted number. */
  readonly maximum?: number;
  /** Schema of each item of a list. */
  readonly items?: JsonSchema;
  /** Minimum number of items. */
  readonly minItems?: number;
  /** Maximum number of items. */
  readonly maxItems?: number;
  /** Schema of each field of an object. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** Names of the required fields. */
  readonly required?: readonly string[];
  /** Schema of all other fields; false refuses them. */
  readonly additionalProperties?: boolean | JsonSchema;
  /** A schema and `null`: a named object that can be null. */
  readonly anyOf?: readonly JsonSchema[];
  /** Schemas; the discriminator selects one of them. */
  readonly oneOf?: readonly JsonSchema[];
  /** The schema of a field that has its own description. */
  readonly allOf?: readonly JsonSchema[];
  /** Only `not.required` is checked: two names of one field that exclude each other. */
  readonly not?: {
    /** The two names. */
    readonly required: readonly string[];
  };
  /** OpenAPI: the property that selects one of `oneOf`, with the title of the schema for each of its values. */
  readonly discriminator?: {
    /** Name of the property. */
    readonly propertyName: string;
    /** Value of the property → title of the schema. */
    readonly mapping: Readonly<Record<string, string>>;
  };
  /** Reference that replaces a titled schema. Only in the OpenAPI document. */
  readonly $ref?: string;
  /** Error message for text that `pattern` refuses. */
  readonly 'x-message'?: string;
  /** Format of the API with its own check. */
  readonly 'x-format'?: FormatName;
  /** TypeScript type, if the schema does not determine it: the name of a union, or a generic type. */
  readonly 'x-type'?: string;
  /** Leading and trailing white space is removed before the check. */
  readonly 'x-trim'?: true;
  /** Name of the equivalent field, which the CLI offers instead. */
  readonly 'x-same-as'?: string;
}
