import type { List, OPERATIONS, OperationName, OperationTypes } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** True to request the next page before the current one is read completely; true when absent. */
  readonly readAhead?: boolean | undefined;
}

/** Method of an operation of the contract: path parameters, then query or body, then options. */
export type OperationMethod<N extends OperationName> = (
  ...args: [...PathArguments<Info<N>['path']>, ...InputArguments<N>, options?: OptionsOf<N>]
) => Info<N>['list'] extends true ? ListCall<ItemOf<N>> : ApiCall<OperationTypes[N]['response']>;

/** Operations whose response is a page of a list. */
export type ListOperation = { [N in OperationName]: Info<N>['list'] extends true ? N : never }[OperationName];

/** Type of the items of a list operation. */
export type ItemOf<N extends OperationName> = OperationTypes[N]['response'] extends List<infer T> ? T : never;

type Info<N extends OperationName> = (typeof OPERATIONS)[N];

type PathArguments<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...PathArguments<Rest>]
  : [];

type InputArguments<N extends OperationName> = [OperationTypes[N]['body']] extends [never]
  ? [OperationTypes[N]['query']] extends [never]
    ? []
    : [params?: OperationTypes[N]['query']]
  : Record<never, never> extends OperationTypes[N]['body']
    ? [params?: OperationTypes[N]['body']]
    : [params: OperationTypes[N]['body']];

type OptionsOf<N extends OperationName> = Info<N>['list'] extends true
  ? ListOptions
  : Info<N>['method'] extends 'POST'
    ? WriteOptions
    : CallOptions;
