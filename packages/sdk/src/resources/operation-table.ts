import type { OperationInfo } from '@plat/contract';
import type { AnyShape, ItemOf } from './operation-method.ts';

/** Rows of the operations of an API, by name. */
export type Rows = Readonly<Record<string, OperationInfo>>;

/** Types of the operations with these rows. */
export type TypesFor<R extends Rows> = { readonly [N in keyof R]: AnyShape };

/**
 * The operations of an API, and what their methods need of the types at run time. The compiler requires each operation
 * to which it applies.
 */
export interface OperationTable<R extends Rows, T extends TypesFor<R>> {
  /** Starts the names of the operations in hooks and warnings. */
  readonly prefix: string;
  readonly operations: R;
  /** Lists whose items have no id, with the field that their cursors use. */
  readonly cursorFields: {
    readonly [N in NamesOfLists<R> as ItemOf<T[N]> extends { id: string } ? never : N]: keyof ItemOf<T[N]> & string;
  };
  /** GET operations of one object with a query. */
  readonly withQuery: {
    readonly [N in Exclude<keyof R, NamesOfLists<R>> as [T[N]['query']] extends [never] ? never : N]: true;
  };
  /** POST operations without a body. */
  readonly withoutBody: {
    readonly [N in keyof R as R[N]['method'] extends 'POST'
      ? [T[N]['body']] extends [never]
        ? N
        : never
      : never]: true;
  };
}

/** The table of any API. */
export interface AnyTable {
  readonly prefix: string;
  readonly operations: Rows;
  readonly cursorFields: Readonly<Record<string, string>>;
  readonly withQuery: Readonly<Record<string, true>>;
  readonly withoutBody: Readonly<Record<string, true>>;
}

type NamesOfLists<R extends Rows> = { [N in keyof R]: R[N]['list'] extends true ? N : never }[keyof R];
