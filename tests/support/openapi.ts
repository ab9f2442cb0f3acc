import type { ErrorCode, OperationName } from '@plat/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A schema of the document. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
}

interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly examples: Readonly<Record<string, Ref>> };
  readonly 'application/x-www-form-urlencoded'?: { readonly schema: Schema };
}

interface Ref {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly headers?: Readonly<Record<string, Ref>>;
  readonly content?: Content;
  readonly 'x-error-codes'?: readonly ErrorCode[];
}

export interface Operation {
  readonly operationId: OperationName;
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Ref>>;
  readonly 'x-error-codes': readonly ErrorCode[];
}

/** The served document, as far as the tests read it. */
export interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** Returns the target of a reference, or the value itself. */
export function resolve<T extends object>(document: OpenApi, value: T | Ref): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = (document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[kind]?.[name];
  if (found === undefined) throw new Error(`the document has no ${value.$ref}`);
  return resolve(document, found as T);
}

/** Returns the violations of a document's schema, or an empty list. */
export function schemaChecker(document: OpenApi): (schema: object, value: unknown) => readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, discriminator: false });
  addFormats.default(ajv);
  ajv.addVocabulary(['discriminator']);
  const schemas = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
  ajv.addSchema({ $id: 'openapi', $defs: JSON.parse(schemas) });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('#/components/schemas/', 'openapi#/$defs/');
    let check = compiled.get(text);
    if (!check) {
      check = ajv.compile(JSON.parse(text));
      compiled.set(text, check);
    }
    check(value);
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
