import { OPERATIONS, type OperationName } from '@plat/contract';

/** Whether a person is asked before an operation is sent: what is gone then is gone for good. */
export function needsConfirmation(operation: OperationName): boolean {
  return OPERATIONS[operation].method === 'DELETE' || operation === 'users.deactivate';
}
