import { OPERATIONS, type OperationTypes } from '@plat/contract';
import type { OperationTable } from './operation-table.ts';

/** The operations of `/v1`. */
export const PLATFORM_TABLE: OperationTable<typeof OPERATIONS, OperationTypes> = {
  prefix: '',
  operations: OPERATIONS,
  cursorFields: { 'groups.members.list': 'client_id', 'groups.owners.list': 'user_id' },
  withQuery: { 'trace.get': true },
  withoutBody: { 'users.invite': true, 'users.deactivate': true, 'webhooks.replays.cancel': true },
};
