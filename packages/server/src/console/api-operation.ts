import { commandWords, OPERATIONS, type OperationInfo, type OperationName, pathParametersOf } from '@plat/contract';
import { type JsonSchema, OPERATION_SCHEMAS, type OperationSchemas } from '@plat/contract/schemas';
import type { Page, Route } from '../http/route.ts';
import { validate } from '../http/validate.ts';
import { ROUTES } from '../resources/index.ts';
import type { Call } from './page-route.ts';

/** An object of /v1, before its type is narrowed by its schema. */
export type ApiObject = Readonly<Record<string, unknown>>;

type Ids = Readonly<Record<string, string>>;

const BY_NAME = new Map<OperationName, Route>(ROUTES.map((route) => [route.name, route]));

function routeOf(name: OperationName): Route {
  const route = BY_NAME.get(name);
  if (!route) throw new Error(`/v1 has no operation ${name}`);
  return route;
}

/** Schema of the body of an operation. */
export function bodyOf(name: OperationName): JsonSchema {
  return routeOf(name).body ?? {};
}

/** Schema of the query of an operation. */
export function queryOf(name: OperationName): JsonSchema {
  return routeOf(name).query ?? {};
}

/** Schema of the object that an operation returns; of a list, of one item. */
export function answerOf(name: OperationName): JsonSchema {
  return routeOf(name).response;
}

/** Consequence of an operation that the user confirms first; undefined if the operation can be undone. */
export function consequenceOf(name: OperationName): string | undefined {
  const { confirmation }: OperationSchemas = OPERATION_SCHEMAS[name];
  return confirmation?.consequence;
}

/** Reads an object of /v1 as the signed-in account. */
export async function readObject({ ctx }: Pick<Call, 'ctx'>, name: OperationName, ids: Ids) {
  return (await routeOf(name).read(ctx, { path: ids, query: {}, body: undefined })) as ApiObject;
}

/** Reads a page of a list of /v1 as the signed-in account. The query is checked already. */
export async function readPage(
  { ctx }: Pick<Call, 'ctx'>,
  name: OperationName,
  ids: Ids,
  query: object,
): Promise<Page<ApiObject>> {
  return (await routeOf(name).read(ctx, { path: ids, query, body: undefined })) as Page<ApiObject>;
}

/**
 * Makes a change by an operation of /v1 as the signed-in account: its checks, rules, events and audit entries.
 * @throws {@link ApiError} INVALID_BODY, and the errors of the operation
 */
export async function runOperation(
  { write }: Pick<Call, 'write'>,
  name: OperationName,
  ids: Ids,
  typed?: object,
): Promise<ApiObject> {
  const { body: schema, write: run } = routeOf(name);
  const body = schema === null ? undefined : validate('INVALID_BODY', schema, typed ?? {});
  return (await write((ctx) => run(ctx, { path: ids, query: {}, body }))) as ApiObject;
}

/** Returns the path of an operation as a path of the console: `/clients/:client_id`. */
export function consolePath(name: OperationName): string {
  return OPERATIONS[name].path.replace(/^\/v1/, '').replace(/\{(\w+)\}/g, ':$1');
}

/** Returns the names of the parameters in the path of an operation. */
export function idsOf(name: OperationName): readonly string[] {
  return pathParametersOf(OPERATIONS[name]);
}

/** Returns the path of an operation below `/v1`, with its ids. */
export function filledPath(name: OperationName, ids: Ids): string {
  const { path }: OperationInfo = OPERATIONS[name];
  return path.replace(/^\/v1/, '').replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? '');
}

/** Returns the command of an operation: `plat clients locations get cli_… loc_…`. */
export function platOf(name: OperationName, ids: Ids): string {
  return ['plat', ...commandWords(name), ...idsOf(name).map((id) => ids[id] ?? '')].join(' ');
}
