import { OPERATIONS, type OperationInfo, type OperationName, type OperationTypes } from '@plat/contract';
import { ApiCall } from '../call/api-call.ts';
import { checkCallOptions, type WriteOptions } from '../call/call-options.ts';
import type { CallSpec, Engine } from '../call/engine.ts';
import { startCall } from '../call/running-call.ts';
import { encodeBody } from '../checks/body.ts';
import { encodeSegment } from '../checks/path.ts';
import { encodeQuery } from '../checks/query.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { ListCall } from '../list/list-call.ts';
import type { ListQuery } from '../list/list-source.ts';
import type { ItemOf, ListOperation } from './operation-method.ts';

/** Creates the method of an operation; its type is the {@link OperationMethod} of that operation. */
export function operationMethod(engine: Engine, operation: OperationName): (...args: unknown[]) => unknown {
  const info: OperationInfo = OPERATIONS[operation];
  const { method } = info;
  // Text and parameter names alternate: '/v1/clients/', 'client_id', ''.
  const parts = info.path.split(/[{}]/);
  const parameters = (parts.length - 1) / 2;
  const path = (args: readonly unknown[]) => {
    let text = parts[0] ?? '';
    for (let index = 1; index < parts.length; index += 2) {
      text += encodeSegment(parts[index] ?? '', args[(index - 1) / 2]) + (parts[index + 1] ?? '');
    }
    return text;
  };
  const start = (
    args: readonly unknown[],
    rest: () => Pick<CallSpec, 'body' | 'shape'>,
    options: unknown,
    query?: unknown,
  ) =>
    startCall(engine, () => ({
      operation,
      method,
      path: path(args) + encodeQuery(query),
      options: checkOptions(options),
      ...rest(),
    }));

  if (info.list) {
    const cursorOf = cursorIn(CURSOR_FIELDS[operation] ?? 'id');
    return (...args) => {
      const options = args[parameters + 1];
      return new ListCall({
        // The query is checked when it is encoded. An invalid argument becomes a rejection, as everywhere.
        query: (args[parameters] ?? {}) as ListQuery,
        cursorOf,
        readAhead: !isRecord(options) || options['readAhead'] !== false,
        signal: isRecord(options) ? (options['signal'] as AbortSignal | null | undefined) : undefined,
        send: (query) => start(args, () => PAGE, options, query),
      });
    };
  }
  if (Object.hasOwn(WITH_QUERY, operation)) {
    return (...args) => new ApiCall(start(args, () => OBJECT, args[parameters + 1], args[parameters]).reply);
  }
  if (method === 'GET' || method === 'DELETE' || Object.hasOwn(WITHOUT_BODY, operation)) {
    return (...args) => new ApiCall(start(args, () => OBJECT, args[parameters]).reply);
  }
  return (...args) => {
    // All parameters of a POST can be optional. Those of a PATCH name the changes, so they are required.
    const body = () => encodeBody(args[parameters] ?? (method === 'POST' ? {} : undefined));
    return new ApiCall(start(args, () => ({ body: body(), shape: 'object' }), args[parameters + 1]).reply);
  };
}

/** Lists whose items have no id, with the field that their cursors use. The compiler requires each. */
const CURSOR_FIELDS: { readonly [N in OperationName]?: string } = {
  'groups.members.list': 'client_id',
  'groups.owners.list': 'user_id',
} satisfies { [N in ListOperation as ItemOf<N> extends { id: string } ? never : N]: keyof ItemOf<N> };

/** GET operations of one object with a query. The compiler requires each. */
const WITH_QUERY: { readonly [N in OperationName]?: true } = {
  'trace.get': true,
} satisfies { [N in QueriedGet]: true };

type QueriedGet = {
  [N in Exclude<OperationName, ListOperation>]: [OperationTypes[N]['query']] extends [never] ? never : N;
}[Exclude<OperationName, ListOperation>];

/** POST operations without a body. The compiler requires each. */
const WITHOUT_BODY: { readonly [N in OperationName]?: true } = {
  'users.invite': true,
  'users.deactivate': true,
  'webhooks.replays.cancel': true,
} satisfies { [N in BodilessPost]: true };

type BodilessPost = {
  [N in OperationName]: (typeof OPERATIONS)[N]['method'] extends 'POST'
    ? [OperationTypes[N]['body']] extends [never]
      ? N
      : never
    : never;
}[OperationName];

const PAGE = { body: undefined, shape: 'list' } as const;
const OBJECT = { body: undefined, shape: 'object' } as const;
const NO_OPTIONS: WriteOptions = Object.freeze({});

function cursorIn(field: string): (item: unknown) => string | null {
  return (item) => {
    const value = isRecord(item) ? item[field] : undefined;
    return typeof value === 'string' ? value : null;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function checkOptions(options: unknown): WriteOptions {
  if (options === undefined) return NO_OPTIONS;
  if (isRecord(options)) {
    checkCallOptions(options);
    return options;
  }
  throw new InvalidArgumentError('options', 'must be an object');
}
