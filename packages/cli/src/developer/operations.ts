import { DEVELOPER_OPERATIONS, type DeveloperOperationName } from '@plat/contract';

/** All operations, in the order of the contract. */
export const DEVELOPER_OPERATION_NAMES: readonly DeveloperOperationName[] =
  Object.keys(DEVELOPER_OPERATIONS).filter(isDeveloperOperation);

function isDeveloperOperation(name: string): name is DeveloperOperationName {
  return Object.hasOwn(DEVELOPER_OPERATIONS, name);
}
