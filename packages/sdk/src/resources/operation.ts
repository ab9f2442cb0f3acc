import { type List, OPERATIONS, type OperationInfo, type OperationName, type OperationTypes } from '@plat/contract';
import { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { CallSpec, Engine } from '../call/engine.ts';
import { startCall } from '../call/running-call.ts';
import { encodeBody } from '../checks/body.ts';
import { encodeSegment } from '../checks/path.ts';
import { encodeQuery } from '../checks/query.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { ListCall } from '../list/list-call.ts';
import type { ListQuery } from '../list/list-source.ts';

/** Settings of a list. */
export interface ListOptions extends CallOptions {
  /** Whether the next page is asked for before this one is read to its end; true when absent. */
  readonly readAhead?: boolean | undefined;
}

/** The method that an operation of the contract becomes: path parameters, then query or body, then options. */
export type OperationMethod<N extends OperationName> = (
  ...args: [...PathArguments<(typeof OPERATIONS)[N]['path']>, ...InputArguments<N>, options?: OptionsOf<N>]
) => OperationTypes[N]['response'] extends List<infer T> ? ListCall<T> : ApiCall<OperationTypes[N]['response']>;

/**
 * The methods of one family, made from a table: method name → operation. `F` is the family's interface, which says the
 * same for people; that the two agree is checked by the compiler.
 */
export function family<T extends Readonly<Record<string, OperationName>>>(
  engine: Engine,
  table: T,
): { readonly [K in keyof T]: OperationMethod<T[K]> } {
  const methods: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(table)) methods[name] = method(engine, operation);
  // The types follow from the same rows of the contract that `method` reads.
  return methods as { readonly [K in keyof T]: OperationMethod<T[K]> };
}

function method(engine: Engine, operation: OperationName): (...args: unknown[]) => unknown {
  const info: OperationInfo = OPERATIONS[operation];
  const { method } = info;
  // Text and parameter names in turn: '/v1/clients/', 'client_id', ''.
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
    return (...args) => {
      const options = args[parameters + 1];
      return new ListCall<{ readonly id: string }>({
        // Checked when it is encoded: an argument that is wrong rejects, as it does everywhere.
        query: (args[parameters] ?? {}) as ListQuery,
        cursorOf: (item) => item.id,
        readAhead: !isRecord(options) || options['readAhead'] !== false,
        send: (query) => start(args, () => PAGE, options, query),
      });
    };
  }
  if (method === 'GET' || method === 'DELETE') {
    return (...args) => new ApiCall(start(args, () => OBJECT, args[parameters]).reply);
  }
  return (...args) => {
    // A POST without parameters still has a body: the service reads JSON or refuses.
    const body = () => encodeBody(args[parameters] ?? (method === 'POST' ? {} : undefined));
    return new ApiCall(start(args, () => ({ body: body(), shape: 'object' }), args[parameters + 1]).reply);
  };
}

const PAGE = { body: undefined, shape: 'list' } as const;
const OBJECT = { body: undefined, shape: 'object' } as const;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function checkOptions(options: unknown): WriteOptions {
  if (options === undefined) return NO_OPTIONS;
  if (isRecord(options)) return options;
  throw new InvalidArgumentError('options', 'must be an object');
}

const NO_OPTIONS: WriteOptions = Object.freeze({});

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

type OptionsOf<N extends OperationName> =
  OperationTypes[N]['response'] extends List<unknown>
    ? ListOptions
    : (typeof OPERATIONS)[N]['method'] extends 'POST'
      ? WriteOptions
      : CallOptions;
