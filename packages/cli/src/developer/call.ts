import {
  DEVELOPER_OPERATIONS,
  type DeveloperOperationName,
  type DeveloperOperationTypes,
  type OperationInfo,
} from '@plat/contract';
import type { ApiCall, Platform } from '@plat/sdk';
import type { JsonObject } from '../terminal/value.ts';

interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: JsonObject;
  readonly idempotencyKey?: string | undefined;
}

/** Calls an operation of the developer API, with the retries and errors of the SDK. */
export function callDeveloper<N extends DeveloperOperationName>(
  platform: Platform,
  operation: N,
  { path = {}, query, body, idempotencyKey }: Call = {},
): ApiCall<DeveloperOperationTypes[N]['response']> {
  const info: OperationInfo = DEVELOPER_OPERATIONS[operation];
  const url = info.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const hasBody = info.method === 'POST' || info.method === 'PATCH';
  return platform.request(info.method, url, {
    ...(query && { query }),
    ...(hasBody && { body: body ?? {} }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
}
