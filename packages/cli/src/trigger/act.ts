import { OPERATIONS, type OperationName, type OperationTypes } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { callOperation } from '../operations/call.ts';
import { isObject, type JsonObject } from '../terminal/value.ts';

/** What causes an event: requests with the tenant's key. */
export interface Act {
  /** The object of `--id`, to act on instead of a sample. */
  readonly id: string | undefined;
  /** What `--data` says, in the place of what the request that causes the event would say. */
  readonly data: JsonObject;
  /** Sends one request; a change is kept for the report. */
  readonly call: Call;
}

export type Call = <N extends OperationName>(
  operation: N,
  path: readonly string[],
  body?: OperationTypes[N]['body'],
) => Promise<OperationTypes[N]['response']>;

/** One change: the operation, and what it made, changed or removed. */
export interface Deed {
  readonly operation: OperationName;
  readonly [field: string]: unknown;
}

/** An act with what it did so far. */
export interface RecordedAct extends Act {
  readonly did: readonly Deed[];
  /** Removes what it made and what is still there, the newest first. */
  cleanUp(): Promise<void>;
}

export function createAct(platform: Platform, { id, data }: Pick<Act, 'id' | 'data'>): RecordedAct {
  const did: Deed[] = [];
  // The SDK's methods are called by name, which no type can follow; its answer is the operation's.
  const call: Call = async (operation, path, body) => {
    const answer: unknown = await callOperation(platform, operation, [...path, ...(body === undefined ? [] : [body])]);
    if (OPERATIONS[operation].method !== 'GET') did.push({ operation, ...identity(answer) });
    return answer as never;
  };
  async function cleanUp(): Promise<void> {
    for (const { operation, id: made } of did.toReversed()) {
      const removal = REMOVALS[operation];
      const isGone = did.some((deed) => deed.operation === removal && deed['id'] === made);
      if (removal && !isGone && typeof made === 'string') await call(removal, [made]);
    }
  }
  return { id, data, call, did, cleanUp };
}

/** What takes back what a request made. A location goes with its client. */
const REMOVALS: { readonly [N in OperationName]?: OperationName } = {
  'clients.create': 'clients.delete',
  'groups.create': 'groups.delete',
  'users.create': 'users.delete',
};

const IDENTITY = ['object', 'id', 'group_id', 'client_id', 'user_id', 'name', 'email'];

/** The fields that tell which object it is. */
function identity(answer: unknown): JsonObject {
  if (!isObject(answer)) return {};
  return Object.fromEntries(
    Object.entries(answer).filter(([name, value]) => IDENTITY.includes(name) && value !== null),
  );
}
