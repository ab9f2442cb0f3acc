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

/** One page: the pipeline puts it into the list envelope. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
}

/** Types of an operation of either table. */
type Types = Shape<string, unknown, unknown, unknown>;

type Answer<O extends OperationInfo, T extends Types> = O['list'] extends true
  ? T['response'] extends { readonly data: readonly (infer Item)[] }
    ? Page<Item>
    : never
  : T['response'];

/** The refusals and the handler of an operation, whose callers are of one kind. */
export interface Definition<O extends OperationInfo, T extends Types, C extends Caller> {
  /** The codes of its own that it can refuse with; those that every operation of its form has are known. */
  readonly errors?: readonly ErrorCode[];
  /** GET: outside a transaction. All else: inside the one transaction of the change. */
  handle(
    ctx: O['method'] extends 'GET' ? Context<C> : WriteContext<C>,
    /** Path ids, query and body, checked. */
    input: Pick<T, 'path' | 'query' | 'body'>,
  ): Promise<Answer<O, T>>;
}

/** A route as data, of whichever surface: mounting, checks, scope and documents all come from it. */
export interface AnyRoute {
  readonly name: string;
  readonly operation: OperationInfo;
  readonly query: JsonSchema | null;
  readonly body: JsonSchema | null;
  /** The schema of one object; of an item where the operation is a list. */
  readonly response: JsonSchema;
  readonly errors: readonly ErrorCode[];
  read(ctx: Context<Caller>, input: RawInput): Promise<unknown>;
  write(ctx: WriteContext<Caller>, input: RawInput): Promise<unknown>;
}

/** A route of /v1. */
export interface Route extends AnyRoute {
  readonly name: OperationName;
}

/** Input after the checks, before its types are known. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Ties an operation of /v1 to its handler. */
export function route<const N extends OperationName>(
  name: N,
  definition: Definition<(typeof OPERATIONS)[N], OperationTypes[N], Credential>,
): Route {
  return { name, ...bind(OPERATIONS[name], OPERATION_SCHEMAS[name], definition) };
}

/** Ties an operation of any table to its schemas and its handler. */
export function bind<O extends OperationInfo, T extends Types, C extends Caller>(
  operation: O,
  { query, body, answer }: OperationSchemas,
  definition: Definition<O, T, C>,
): Omit<AnyRoute, 'name'> {
  // The one boundary where checked input takes the types of the contract, which are generated from the schemas, and the
  // caller is of the kind that the surface's own authenticator finds.
  const handle = definition.handle as (ctx: Context<Caller>, input: RawInput) => Promise<unknown>;
  return {
    operation,
    query: query ? SCHEMAS[query] : null,
    body: body ? SCHEMAS[body] : null,
    response: SCHEMAS[answer],
    errors: definition.errors ?? [],
    read: handle,
    write: handle,
  };
}
