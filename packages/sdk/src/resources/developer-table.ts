import { DEVELOPER_OPERATIONS, type DeveloperOperationTypes } from '@plat/contract';
import type { OperationTable } from './operation-table.ts';

/** The operations of `/developer/v1`. */
export const DEVELOPER_TABLE: OperationTable<typeof DEVELOPER_OPERATIONS, DeveloperOperationTypes> = {
  prefix: 'developer.',
  operations: DEVELOPER_OPERATIONS,
  cursorFields: {},
  withQuery: { 'apps.trace.get': true },
  withoutBody: {
    'sandbox.reset': true,
    'apps.disable': true,
    'apps.enable': true,
    'apps.request_verification': true,
    'apps.webhooks.replays.cancel': true,
  },
};
