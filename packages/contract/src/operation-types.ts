import type { DEVELOPER_OPERATIONS, DeveloperOperationName } from './developer-operations.ts';
import type { List } from './objects/list.ts';
import type { OPERATIONS, OperationInfo, OperationName } from './operations.ts';
import type { SchemaTypes } from './schema-types.ts';
import type { DEVELOPER_OPERATION_SCHEMAS, OperationSchemas, SchemaName } from './schemas/operations.ts';
import type { OPERATION_SCHEMAS } from './schemas/registry.ts';

/** Path parameters, query, body and response of each operation; `never` for parts that it does not have. */
export type OperationTypes = {
  [N in OperationName]: TypesOf<(typeof OPERATIONS)[N], (typeof OPERATION_SCHEMAS)[N]>;
};

/** The same for each operation of the developer API. */
export type DeveloperOperationTypes = {
  [N in DeveloperOperationName]: TypesOf<(typeof DEVELOPER_OPERATIONS)[N], (typeof DEVELOPER_OPERATION_SCHEMAS)[N]>;
};

/** Types of an operation, derived from its row and the titles of its schemas. */
export type TypesOf<O extends OperationInfo, S extends OperationSchemas> = Shape<
  PathParameter<O['path']>,
  S extends { readonly query: infer Q extends SchemaName } ? SchemaTypes[Q] : never,
  S extends { readonly body: infer B extends SchemaName } ? SchemaTypes[B] : never,
  O['list'] extends true ? List<SchemaTypes[S['answer']]> : SchemaTypes[S['answer']]
>;

/** Names of the parameters in a path. */
type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Path parameters, query, body and response of an operation. */
export interface Shape<P extends string, Q, B, R> {
  /** Path parameters, by name. */
  readonly path: Readonly<Record<P, string>>;
  /** Query parameters. */
  readonly query: Q;
  /** The request body. */
  readonly body: B;
  /** The response body. */
  readonly response: R;
}
