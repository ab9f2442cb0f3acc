import type { List, OperationInfo, Shape } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** True to request the next page before the current one is read completely; true when absent. */
  readonly readAhead?: boolean | undefined;
}

/**
 * Method of an operation: path parameters, then query or body, then options. `O` is its row in the contract, `T` are
 * its types.
 */
export type OperationMethod<O extends OperationInfo, T extends AnyShape> = (
  ...args: [...PathArguments<O['path']>, ...InputArguments<T>, options?: OptionsOf<O>]
) => O['list'] extends true ? ListCall<ItemOf<T>> : ApiCall<T['response']>;

/** Query, body and response of any operation. */
export type AnyShape = Omit<Shape<never, unknown, unknown, unknown>, 'path'>;

/** Type of the items of a list operation. */
export type ItemOf<T extends AnyShape> = T['response'] extends List<infer I> ? I : never;

type PathArguments<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...PathArguments<Rest>]
  : [];

type InputArguments<T extends AnyShape> = [T['body']] extends [never]
  ? [T['query']] extends [never]
    ? []
    : [params?: T['query']]
  : Record<never, never> extends T['body']
    ? [params?: T['body']]
    : [params: T['body']];

type OptionsOf<O extends OperationInfo> = O['list'] extends true
  ? ListOptions
  : O['method'] extends 'POST'
    ? WriteOptions
    : CallOptions;
