import { OPERATIONS, type OperationName, type OperationTypes } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { callOperation } from '../operations/call.ts';
import { isObject, type JsonObject } from '../terminal/value.ts';

/** Requests with the tenant's key that cause an event. */
export interface TriggerRequests {
  /** The object of `--id`, used instead of a sample. */
  readonly id: string | undefined;
  /** Fields of `--data` for the body of the request that causes the event. */
  readonly data: JsonObject;
  /** Sends one request and records changes for the report. */
  readonly call: Call;
}

export type Call = <N extends OperationName>(
  operation: N,
  path: readonly string[],
  body?: OperationTypes[N]['body'],
) => Promise<OperationTypes[N]['response']>;

/** One change: the operation and its object. */
export interface Change {
  readonly operation: OperationName;
  readonly [field: string]: unknown;
}

/** The requests of a command, with the changes that they made. */
export interface RecordedRequests extends TriggerRequests {
  readonly changes: readonly Change[];
  /** Removes the created objects that still exist, newest first. */
  cleanUp(): Promise<void>;
}

export function createTriggerRequests(
  platform: Platform,
  { id, data }: Pick<TriggerRequests, 'id' | 'data'>,
): RecordedRequests {
  const changes: Change[] = [];
  // The types cannot express calls by name; the response is that of the operation.
  const call: Call = async (operation, path, body) => {
    const answer: unknown = await callOperation(platform, operation, [...path, ...(body === undefined ? [] : [body])]);
    if (OPERATIONS[operation].method !== 'GET') changes.push({ operation, ...identity(answer) });
    return answer as never;
  };
  async function cleanUp(): Promise<void> {
    for (const { operation, id: made } of changes.toReversed()) {
      const removal = REMOVALS[operation];
      const isGone = changes.some((change) => change.operation === removal && change['id'] === made);
      if (removal && !isGone && typeof made === 'string') await call(removal, [made]);
    }
  }
  return { id, data, call, changes, cleanUp };
}

/** Operation → operation that removes the created object. A location is removed with its client. */
const REMOVALS: { readonly [N in OperationName]?: OperationName } = {
  'clients.create': 'clients.delete',
  'groups.create': 'groups.delete',
  'users.create': 'users.delete',
};

const IDENTITY = ['object', 'id', 'group_id', 'client_id', 'user_id', 'name', 'email'];

/** Returns the identifying fields of an object. */
function identity(answer: unknown): JsonObject {
  if (!isObject(answer)) return {};
  return Object.fromEntries(
    Object.entries(answer).filter(([name, value]) => IDENTITY.includes(name) && value !== null),
  );
}
