import type { ListParams, OperationName, OperationTypes } from '@plat/contract';
import type { Fields } from '../../command/field.ts';

/** The fields of each operation that has any. */
export type AllFields = { readonly [N in OperationName as Named<N>]: FieldsOf<N> };

/** The same for the operations of one family, those of the families below it not among them. */
export type FamilyFields<F extends string> = {
  readonly [N in OperationName as N extends `${F}.${infer Verb}`
    ? Verb extends `${string}.${string}`
      ? never
      : Named<N>
    : never]: FieldsOf<N>;
};

/** Of the body; of the query without what every list takes. */
type FieldsOf<N extends OperationName> = [OperationTypes[N]['body']] extends [never]
  ? [OperationTypes[N]['query']] extends [never]
    ? Record<never, never>
    : Fields<Omit<OperationTypes[N]['query'], keyof ListParams>>
  : Fields<OperationTypes[N]['body']>;

/** The name of an operation that has fields. */
type Named<N extends OperationName> = [keyof FieldsOf<N>] extends [never] ? never : N;
