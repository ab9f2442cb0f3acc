import type { ErrorCode, EventType, Scope } from '@plat/contract';
import type { JsonSchema } from '@plat/contract/schemas';

/** The parts of OpenAPI 3.1 that the document uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly examples: Readonly<Record<string, Example>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<'bearer' | 'developer' | 'app', SecurityScheme>>;
  };
}

export interface Ref {
  readonly $ref: string;
}

export interface Server {
  readonly url: string;
  readonly description?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content | FormContent };
  readonly responses: Readonly<Record<string, Response | Ref>>;
  /** null: any valid credential. */
  readonly 'x-required-scope'?: Scope | null;
  readonly 'x-emitted-events'?: readonly EventType[];
  readonly 'x-error-codes'?: readonly ErrorCode[];
  /** Code that calls the operation, as Redocly and other viewers show it. */
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface CodeSample {
  /** Language for the highlighting: `Shell` or `TypeScript`. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Ref>>;
  readonly content?: Content;
  readonly 'x-error-codes'?: readonly ErrorCode[];
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export type Content = Readonly<Record<'application/json', Media>>;

/** The body of a form. */
export type FormContent = Readonly<Record<'application/x-www-form-urlencoded', Media>>;

interface Media {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, Ref>>;
}

interface SecurityScheme {
  readonly type: 'http';
  readonly scheme: 'bearer' | 'basic';
  readonly description: string;
}
