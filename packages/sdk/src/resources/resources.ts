import { OPERATIONS, type OperationName } from '@plat/contract';
import type { Engine } from '../call/engine.ts';
import type { Audit } from './audit.ts';
import type { Billing } from './billing.ts';
import type { Modules, Plans } from './catalog.ts';
import type { Clients } from './clients.ts';
import type { Groups } from './groups.ts';
import type { MeResource } from './me.ts';
import { operationMethod } from './operation.ts';
import type { OperationMethod } from './operation-method.ts';
import type { Requests } from './requests.ts';
import type { Roles } from './roles.ts';
import type { SettingsResource } from './settings.ts';
import type { TenantResource } from './tenant.ts';
import type { TraceResource } from './trace.ts';
import type { Users } from './users.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';
import type { WebhookEvents } from './webhook-events.ts';
import type { WebhookReplays } from './webhook-replays.ts';

/**
 * The resource families of a client. The documentation of each method lists the error codes of its operation. Codes of
 * every operation, such as `INVALID_TOKEN` and `RATE_LIMITED`, are not repeated there. A new family needs a line here and two in `platform.ts`; the compiler requires
 * them.
 */
export interface Resources {
  readonly me: MeResource;
  readonly clients: Clients;
  readonly groups: Groups;
  readonly users: Users;
  readonly tenant: TenantResource;
  readonly settings: SettingsResource;
  readonly roles: Roles;
  readonly audit: Audit;
  readonly requests: Requests;
  readonly trace: TraceResource;
  readonly modules: Modules;
  readonly plans: Plans;
  readonly billing: Billing;
  readonly webhooks: Webhooks;
}

/** Endpoints, events, deliveries and replays of webhooks. */
export interface Webhooks {
  /** Endpoints: the URLs that receive events. */
  readonly endpoints: WebhookEndpoints;
  /** Events of the last 30 days. */
  readonly events: WebhookEvents;
  /** Deliveries: the attempts to deliver events. */
  readonly deliveries: WebhookDeliveries;
  /** Replays: jobs that send many events again. */
  readonly replays: WebhookReplays;
}

/**
 * Creates the methods of all operations, each at the place that its name determines: `webhooks.endpoints.rotate_secret`
 * becomes `webhooks.endpoints.rotateSecret`. The interfaces of the families document the same methods for people, and
 * do not compile if they differ.
 */
export function createResources(engine: Engine): Resources {
  const resources: Tree = {};
  for (const operation of OPERATION_NAMES) {
    const words = operation.split('.').map(toCamel);
    const verb = words.pop() ?? '';
    const family = words.reduce<Tree>((parent, word) => {
      const child = parent[word] ?? {};
      parent[word] = child;
      return child as Tree;
    }, resources);
    family[verb] = operationMethod(engine, operation);
  }
  // The type is derived from the same names and rows of the contract.
  return resources as MethodsBelow<''>;
}

/**
 * Operations for which `R` has no method. The line below compiles only if there are none; its error names the missing
 * ones.
 */
export type MissingFrom<R> = { [N in OperationName]: HasMethod<R, N> extends true ? never : N }[OperationName];
true satisfies [MissingFrom<Resources>] extends [never] ? true : { missing: MissingFrom<Resources> };

interface Tree {
  [name: string]: Tree | ((...args: unknown[]) => unknown);
}

const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

function toCamel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The tree of methods under a prefix: `''` for all, `webhooks.` for a family. */
type MethodsBelow<P extends string> = {
  readonly [W in WordBelow<P> as Camel<W>]: `${P}${W}` extends infer N extends OperationName
    ? OperationMethod<N>
    : MethodsBelow<`${P}${W}.`>;
};

/** The words that follow a prefix in the names of operations. */
type WordBelow<P extends string, N = OperationName> = N extends `${P}${infer Rest}`
  ? Rest extends `${infer Word}.${string}`
    ? Word
    : Rest
  : never;

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

type HasMethod<R, N extends string> = N extends `${infer Word}.${infer Rest}`
  ? Camel<Word> extends keyof R
    ? HasMethod<R[Camel<Word>], Rest>
    : false
  : Camel<N> extends keyof R
    ? true
    : false;
