import {
  commandWords,
  DEVELOPER_OPERATIONS,
  type DeveloperOperationName,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  pathParametersOf,
} from '@plat/contract';
import {
  DEVELOPER_OPERATION_SCHEMAS,
  type JsonSchema,
  OPERATION_SCHEMAS,
  type OperationSchemas,
} from '@plat/contract/schemas';
import { appWebhookRoutes } from '../developer/app-webhooks.routes.ts';
import type { Html } from '../http/html.ts';
import type { AnyRoute, Page } from '../http/route.ts';
import { validate } from '../http/validate.ts';
import { ROUTES } from '../resources/index.ts';
import type { PageCall } from './page-route.ts';
import { commands, curlOf } from './parts/code.ts';

/** An object of /v1, before its type is narrowed by its schema. */
export type ApiObject = Readonly<Record<string, unknown>>;

type Ids = Readonly<Record<string, string>>;

/** An operation on the webhooks of an app, which its developer calls. */
type AppOperation = Extract<DeveloperOperationName, `apps.${string}`>;

/** An operation whose objects have pages. */
export type PageOperation = OperationName | AppOperation;

const BY_NAME = new Map<string, AnyRoute>([...ROUTES, ...appWebhookRoutes].map((route) => [route.name, route]));

function isOfApp(name: PageOperation): name is AppOperation {
  return Object.hasOwn(DEVELOPER_OPERATIONS, name) && name.startsWith('apps.');
}

function infoOf(name: PageOperation): OperationInfo {
  return isOfApp(name) ? DEVELOPER_OPERATIONS[name] : OPERATIONS[name];
}

function routeOf(name: PageOperation): AnyRoute {
  const route = BY_NAME.get(name);
  if (!route) throw new Error(`there is no operation ${name}`);
  return route;
}

/** Schema of the body of an operation. */
export function bodyOf(name: PageOperation): JsonSchema {
  return routeOf(name).body ?? {};
}

/** Schema of the query of an operation. */
export function queryOf(name: PageOperation): JsonSchema {
  return routeOf(name).query ?? {};
}

/** Schema of the object that an operation returns; of a list, of one item. */
export function answerOf(name: PageOperation): JsonSchema {
  return routeOf(name).response;
}

/** Consequence of an operation that the user confirms first; undefined if the operation can be undone. */
export function consequenceOf(name: PageOperation): string | undefined {
  const { confirmation }: OperationSchemas = isOfApp(name)
    ? DEVELOPER_OPERATION_SCHEMAS[name]
    : OPERATION_SCHEMAS[name];
  return confirmation?.consequence;
}

/** Reads an object of /v1 as the signed-in account. */
export async function readObject({ ctx }: Pick<PageCall, 'ctx'>, name: PageOperation, ids: Ids) {
  return (await routeOf(name).read(ctx, { path: ids, query: {}, body: undefined })) as ApiObject;
}

/** Reads a page of a list of /v1 as the signed-in account. The query is checked already. */
export async function readPage(
  { ctx }: Pick<PageCall, 'ctx'>,
  name: PageOperation,
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
  { write }: Pick<PageCall, 'write'>,
  name: PageOperation,
  ids: Ids,
  typed?: object,
): Promise<ApiObject> {
  const { body: schema, write: run } = routeOf(name);
  const body = schema === null ? undefined : validate('INVALID_BODY', schema, typed ?? {});
  return (await write((ctx) => run(ctx, { path: ids, query: {}, body }))) as ApiObject;
}

/** Returns the path of an operation as a path of the console: `/clients/:client_id`. */
export function consolePath(name: PageOperation): string {
  return pathOf(name).replace(/\{(\w+)\}/g, ':$1');
}

/** Returns the path of an operation below its API. */
function pathOf(name: PageOperation): string {
  return infoOf(name).path.replace(/^(?:\/developer)?\/v1/, '');
}

/** True if an operation emits events of the tenant. */
export function emitsEvents(name: PageOperation): boolean {
  return infoOf(name).emits.length > 0;
}

/** Returns the names of the parameters in the path of an operation. */
export function idsOf(name: PageOperation): readonly string[] {
  return pathParametersOf(infoOf(name));
}

/** Returns the path of an operation below `/v1`, with its ids. */
export function filledPath(name: PageOperation, ids: Ids): string {
  return pathOf(name).replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? '');
}

/** Returns the command of an operation: `plat clients locations get cli_… loc_…`. */
export function platOf(name: PageOperation, ids: Ids): string {
  const words = isOfApp(name) ? name.replaceAll('_', '-').split('.') : commandWords(name);
  return ['plat', ...words, ...idsOf(name).map((id) => ids[id] ?? '')].join(' ');
}

/** Shows the commands of an operation. Those of the developer API need a login instead of a key, so curl is left out. */
export function commandsOf(name: PageOperation, ids: Ids, options = '', query = ''): Html {
  const plat = platOf(name, ids) + options;
  return isOfApp(name) ? commands(plat) : commands(plat, curlOf(filledPath(name, ids) + query));
}
