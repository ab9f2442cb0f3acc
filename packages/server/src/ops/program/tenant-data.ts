import {
  ERROR_CODES,
  EVENT_TYPES,
  OPERATIONS,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ENDPOINT_STATUSES,
} from '@plat/contract';
import { type Command, Option } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printNotes, printObjects, printRows } from '../commands/print.ts';
import { addPaging, addTimes, idReader, JSON_OPTION, type Operate } from './options.ts';

const { deliveriesOf, endpointsOf, eventsOf, requestsOf } = lazily(() => import('../commands/inspection.ts'));
const { retryNow } = lazily(() => import('../commands/retry-now.ts'));
const { trace } = lazily(() => import('../commands/trace.ts'));

/** Commands that read the data of a tenant on the operator's side, without a key of the tenant. */
export function addTenantData(program: Command, operate: Operate): void {
  const list = (name: string, description: string): Command =>
    addPaging(program.command(`${name} <tenant_id>`).description(description));

  list('endpoints', 'list the webhook endpoints of a tenant, newest first')
    .addOption(new Option('--status <status>', 'only endpoints with this status').choices(WEBHOOK_ENDPOINT_STATUSES))
    .action(async (tenantId, { json = false, status, ...paged }) => {
      const params = { ...paramsOf(paged), status };
      const rows = await operate((operator) => endpointsOf(operator, tenantId, params));
      printObjects(rows, ['id', 'status', 'url', 'disabled_reason', 'created_at'], json);
    });
  addTimes(list('events', 'list the events of a tenant, newest first'))
    .addOption(new Option('--type <type>', 'only events of this type').choices(Object.keys(EVENT_TYPES)))
    .action(async (tenantId, { json = false, type, ...paged }) => {
      const params = { ...paramsOf(paged), type };
      const rows = await operate((operator) => eventsOf(operator, tenantId, params));
      printObjects(rows, ['id', 'type', 'created'], json);
    });
  addTimes(list('deliveries', 'list the delivery attempts of a tenant, newest first'))
    .addOption(new Option('--status <status>', 'only attempts with this status').choices(WEBHOOK_DELIVERY_STATUSES))
    .option('--endpoint <endpoint_id>', 'only attempts to this endpoint', idReader('webhook_endpoint'))
    .option('--event <event_id>', 'only attempts of this event', idReader('event'))
    .action(async (tenantId, { json = false, status, endpoint, event, ...paged }) => {
      const params = { ...paramsOf(paged), status, endpoint_id: endpoint, event_id: event };
      const rows = await operate((operator) => deliveriesOf(operator, tenantId, params));
      const columns = ['id', 'event_type', 'event_id', 'endpoint_id', 'attempt', 'status'] as const;
      printObjects(rows, [...columns, 'response_status', 'error', 'scheduled_at', 'attempted_at'], json);
    });
  addTimes(list('requests', 'list the logged requests of a tenant, newest first'))
    .addOption(new Option('--operation <name>', 'only requests of this operation').choices(Object.keys(OPERATIONS)))
    .addOption(
      new Option('--code <code>', 'only requests that were refused with this code').choices(Object.keys(ERROR_CODES)),
    )
    .action(async (tenantId, { json = false, operation, code, ...paged }) => {
      const params = { ...paramsOf(paged), operation, code };
      const rows = await operate((operator) => requestsOf(operator, tenantId, params));
      printObjects(rows, ['id', 'created_at', 'method', 'path', 'status', 'operation', 'duration_ms'], json);
    });
  program
    .command('trace <tenant_id> <id>')
    .description(
      'show all that is recorded about an id, address or slug of a tenant: requests, changes, events, attempts',
    )
    .option('--starting-after <id>', 'the page behind this id')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, id: string, { json = false, startingAfter }) => {
      const { steps, notes } = await operate((operator) => trace(operator, tenantId, id, startingAfter));
      printRows(steps, json);
      printNotes(notes);
    });
  program
    .command('retry-now <tenant_id>')
    .description('make the pending deliveries of a tenant due now, and close the circuits of its endpoints')
    .option('--endpoint <endpoint_id>', 'only those to this endpoint')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, endpoint }) => {
      printFields(await operate((operator) => retryNow(operator, tenantId, endpoint)), json);
    });
}

interface Paged {
  readonly limit: number;
  readonly startingAfter?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** Returns the parameters of a list that its options give. */
function paramsOf({ limit, startingAfter, createdAfter, createdBefore }: Paged) {
  return {
    limit,
    ...(startingAfter !== undefined && { starting_after: startingAfter }),
    ...(createdAfter !== undefined && { created_after: createdAfter }),
    ...(createdBefore !== undefined && { created_before: createdBefore }),
  };
}
