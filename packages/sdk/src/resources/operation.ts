import type { OperationInfo } from '@plat/contract';
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
import type { AnyTable } from './operation-table.ts';

/** Creates the method of an operation of a table; its type is the `OperationMethod` of that operation. */
export function operationMethod(
  engine: Engine,
  table: AnyTable,
  name: string,
  info: OperationInfo,
): (...args: unknown[]) => unknown {
  const { method } = info;
  const operation = table.prefix + name;
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
    const cursorOf = cursorIn(table.cursorFields[name] ?? 'id');
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
  if (table.withQuery[name]) {
    return (...args) => new ApiCall(start(args, () => OBJECT, args[parameters + 1], args[parameters]).reply);
  }
  if (method === 'GET' || method === 'DELETE' || table.withoutBody[name]) {
    return (...args) => new ApiCall(start(args, () => OBJECT, args[parameters]).reply);
  }
  return (...args) => {
    // All parameters of a POST can be optional. Those of a PATCH name the changes, so they are required.
    const body = () => encodeBody(args[parameters] ?? (method === 'POST' ? {} : undefined));
    return new ApiCall(start(args, () => ({ body: body(), shape: 'object' }), args[parameters + 1]).reply);
  };
}

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
