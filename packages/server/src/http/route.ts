import {
  type ErrorCode,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  type OperationTypes,
  type Shape,
} from '@plat/contract';
import { type JsonSchema, OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import type { Caller, Credential } from '../auth/credential.ts';
import type { Context, WriteContext } from '../context.ts';

/** One page of a list. The pipeline puts it into the list envelope. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  /** Cursor at which the list continues; absent if the id of an object of the page is it. */
  readonly nextCursor?: string;
}

/** Types of an operation of either table. */
type Types = Shape<string, unknown, unknown, unknown>;

type Answer<O extends OperationInfo, T extends Types> = O['list'] extends true
  ? T['response'] extends { readonly data: readonly (infer Item)[] }
    ? Page<Item>
    : never
  : T['response'];

/** Handler of an operation for one kind of caller. */
export interface Definition<O extends OperationInfo, T extends Types, C extends Caller> {
  /** True for a change that waits for all other changes of its sandbox. */
  readonly holdsSandbox?: true;
  /** Runs outside a transaction for GET, and inside the one transaction of the change for every other method. */
  handle(
    ctx: O['method'] extends 'GET' ? Context<C> : WriteContext<C>,
    /** Path ids, query and body, checked. */
    input: Pick<T, 'path' | 'query' | 'body'>,
  ): Promise<Answer<O, T>>;
}

/** A route of any surface as data. Mounting, checks, scope and documents are derived from it. */
export interface AnyRoute {
  readonly name: string;
  readonly operation: OperationInfo;
  readonly query: JsonSchema | null;
  readonly body: JsonSchema | null;
  /** Schema of one object. For a list operation, schema of one item. */
  readonly response: JsonSchema;
  /** Error codes of this operation, besides those that follow from its method, path and scope. */
  readonly errors: readonly ErrorCode[];
  /** Markdown that follows the summary in the reference. */
  readonly details?: string;
  /** True for a change that waits for all other changes of its sandbox. */
  readonly holdsSandbox?: true;
  read(ctx: Context<Caller>, input: RawInput): Promise<unknown>;
  write(ctx: WriteContext<Caller>, input: RawInput): Promise<unknown>;
}

/** A route of /v1. */
export interface Route extends AnyRoute {
  readonly name: OperationName;
}

/** Checked input, before its types are narrowed. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Binds a handler to an operation of /v1. */
export function route<const N extends OperationName>(
  name: N,
  definition: Definition<(typeof OPERATIONS)[N], OperationTypes[N], Credential>,
): Route {
  return { name, ...bind(OPERATIONS[name], OPERATION_SCHEMAS[name], definition) };
}

/** Binds a handler to an operation of any table, with its schemas. */
export function bind<O extends OperationInfo, T extends Types, C extends Caller>(
  operation: O,
  { query, body, answer, errors = [], details }: OperationSchemas,
  definition: Definition<O, T, C>,
): Omit<AnyRoute, 'name'> {
  // The only cast: checked input takes the types of the contract, which are generated from the schemas. The caller has
  // the type that the authenticator of the surface returns.
  const handle = definition.handle as (ctx: Context<Caller>, input: RawInput) => Promise<unknown>;
  return {
    operation,
    query: query ? SCHEMAS[query] : null,
    body: body ? SCHEMAS[body] : null,
    response: SCHEMAS[answer],
    errors,
    ...(details === undefined ? {} : { details }),
    ...(definition.holdsSandbox && { holdsSandbox: true }),
    read: handle,
    write: handle,
  };
}
