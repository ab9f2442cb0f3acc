import { methodWords, type OperationName } from '@plat/contract';
import type { ApiCall, ListCall, Platform } from '@plat/sdk';
import type { JsonObject } from '../terminal/value.ts';

/**
 * Calls the SDK's method for an operation: `webhooks.endpoints.rotate_secret` is
 * `platform.webhooks.endpoints.rotateSecret`. The types cannot express calls by name; a test covers every operation.
 */
export function callOperation(
  platform: Platform,
  operation: OperationName,
  args: readonly unknown[],
): ApiCall<unknown> {
  return method(platform, operation)(...args) as ApiCall<unknown>;
}

/** Calls the SDK's method for a list operation. */
export function callList(platform: Platform, operation: OperationName, query: JsonObject, path: readonly string[]) {
  return method(platform, operation)(...path, query) as ListCall<JsonObject>;
}

function method(platform: Platform, operation: OperationName): (...args: unknown[]) => unknown {
  let found: unknown = platform;
  for (const word of methodWords(operation)) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, word) : undefined;
  }
  if (typeof found !== 'function') throw new Error(`the SDK has no method for ${operation}`);
  return found as (...args: unknown[]) => unknown;
}
