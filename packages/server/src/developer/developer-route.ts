import { DEVELOPER_OPERATIONS, type DeveloperOperationName, type DeveloperOperationTypes } from '@plat/contract';
import { DEVELOPER_OPERATION_SCHEMAS } from '@plat/contract/schemas';
import { type AnyRoute, bind, type Definition } from '../http/route.ts';
import type { DeveloperCaller } from './caller.ts';

/** A route of the developer API. */
export interface DeveloperRoute extends AnyRoute {
  readonly name: DeveloperOperationName;
}

/** Binds a handler to an operation of the developer API. */
export function developerRoute<const N extends DeveloperOperationName>(
  name: N,
  definition: Definition<(typeof DEVELOPER_OPERATIONS)[N], DeveloperOperationTypes[N], DeveloperCaller>,
): DeveloperRoute {
  return { name, ...bind(DEVELOPER_OPERATIONS[name], DEVELOPER_OPERATION_SCHEMAS[name], definition) };
}
