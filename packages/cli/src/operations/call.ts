import { type DeveloperOperationName, methodWords, type OperationName } from '@plat/contract';
import type { ApiCall, ListCall, Platform } from '@plat/sdk';
import type { DeveloperApi } from '@plat/sdk/developer';
import type { JsonObject } from '../terminal/value.ts';

/** A client of the SDK, which has a method for each operation of its API. */
export type Client = Platform | DeveloperApi;

type AnyOperationName = OperationName | DeveloperOperationName;

/**
 * Calls the SDK's method for an operation: `webhooks.endpoints.rotate_secret` is
 * `platform.webhooks.endpoints.rotateSecret`. The types cannot express calls by name; a test covers every operation.
 */
export function callOperation(client: Client, operation: AnyOperationName, args: readonly unknown[]): ApiCall<unknown> {
  return method(client, operation)(...args) as ApiCall<unknown>;
}

/** Calls the SDK's method for a list operation. */
export function callList(
  client: Client,
  operation: AnyOperationName,
  query: JsonObject,
  path: readonly string[],
  signal?: AbortSignal,
) {
  return method(client, operation)(...path, query, { signal }) as ListCall<JsonObject>;
}

function method(client: Client, operation: AnyOperationName): (...args: unknown[]) => unknown {
  let found: unknown = client;
  for (const word of methodWords(operation)) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, word) : undefined;
  }
  if (typeof found !== 'function') throw new Error(`the SDK has no method for ${operation}`);
  return found as (...args: unknown[]) => unknown;
}
