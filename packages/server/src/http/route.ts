import {
  type ErrorCode,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  type OperationTypes,
} from '@plat/contract';
import type { Context, WriteContext } from '../context.ts';
import type { AnyRule, Rule } from './rules.ts';

type Method<N extends OperationName> = (typeof OPERATIONS)[N]['method'];
type IsList<N extends OperationName> = (typeof OPERATIONS)[N]['list'];

/** What a handler is given: path ids, query and body, checked. */
export interface Input<N extends OperationName> {
  readonly path: OperationTypes[N]['path'];
  readonly query: OperationTypes[N]['query'];
  readonly body: OperationTypes[N]['body'];
}

/** One page: the pipeline puts it into the list envelope. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
}

type Answer<N extends OperationName> =
  IsList<N> extends true
    ? OperationTypes[N]['response'] extends { readonly data: readonly (infer T)[] }
      ? Page<T>
      : never
    : OperationTypes[N]['response'];

interface Definition<N extends OperationName> {
  readonly query?: Rule<OperationTypes[N]['query']>;
  readonly body?: Rule<OperationTypes[N]['body']>;
  /** Of one object: of an item where the operation is a list. */
  readonly response: Rule<
    IsList<N> extends true ? (Answer<N> extends Page<infer T> ? T : never) : OperationTypes[N]['response']
  >;
  /** The codes of its own that it can refuse with; those that every operation of its form has are known. */
  readonly errors?: readonly ErrorCode[];
  /** GET: outside a transaction. All else: inside the one transaction of the change. */
  handle(ctx: Method<N> extends 'GET' ? Context : WriteContext, input: Input<N>): Promise<Answer<N>>;
}

/** A route as data: mounting, checks, scope and documents all come from it. */
export interface Route {
  readonly name: OperationName;
  readonly operation: OperationInfo;
  readonly query: AnyRule | null;
  readonly body: AnyRule | null;
  readonly response: AnyRule;
  readonly errors: readonly ErrorCode[];
  read(ctx: Context, input: RawInput): Promise<unknown>;
  write(ctx: WriteContext, input: RawInput): Promise<unknown>;
}

/** Input after the checks, before its types are known. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Ties an operation of the contract to its schemas and its handler. */
export function route<const N extends OperationName>(name: N, definition: Definition<N>): Route {
  // The one boundary where checked input takes the types of the contract: the rules above are locked to them.
  const handle = definition.handle as (ctx: Context, input: RawInput) => Promise<unknown>;
  return {
    name,
    operation: OPERATIONS[name],
    query: definition.query ?? null,
    body: definition.body ?? null,
    response: definition.response,
    errors: definition.errors ?? [],
    read: handle,
    write: handle,
  };
}
