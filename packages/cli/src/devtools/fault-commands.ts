import { Argument, Command, Option } from 'commander';
import { addNdjson, type ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { CliError } from '../errors/cli-error.ts';
import type { JsonObject } from '../terminal/value.ts';

const KINDS = [
  'error',
  'delay',
  'cut',
  'malformed',
  'rate_limited',
  'duplicate_delivery',
  'reorder_deliveries',
  'delivery_error',
] as const;

/** Option → field of the fault. */
const FIELDS: Readonly<Record<string, string>> = {
  operation: 'operation',
  path: 'path',
  method: 'method',
  code: 'code',
  message: 'message',
  ms: 'ms',
  when: 'when',
  retryAfter: 'retry_after',
  status: 'status',
  errorClass: 'error_class',
  endpoint: 'endpoint_id',
  eventType: 'event_type',
  tenant: 'tenant_id',
  times: 'times',
  probability: 'probability',
};

/** `plat dev faults …`: injects faults. */
export function faultCommands(contextOf: ContextOf): readonly Command[] {
  return [addCommand(contextOf), listCommand(contextOf), clearCommand(contextOf)];
}

function addCommand(contextOf: ContextOf): Command {
  const whole = (name: string) => (given: string) => readInteger(name, given);
  const command = new Command('add')
    .summary('Make requests or deliveries fail')
    .description('Make requests or webhook deliveries fail, arrive late or arrive twice.')
    .addArgument(new Argument('<kind>', 'effect of the fault').choices(KINDS))
    .option('--operation <name>', 'requests of an operation: clients.create, clients.*, oauth.token, *')
    .option('--path <path>', 'requests of a path: /v1/clients/*')
    .option('--method <method>', 'with --path: only this method')
    .option('--code <code>', 'error: code of the response')
    .option('--message <text>', 'error: message of the response')
    .option('--ms <n>', 'delay: milliseconds', whole('--ms'))
    .addOption(
      new Option('--when <when>', 'cut: before the operation runs, or after it has completed').choices([
        'before',
        'after',
      ]),
    )
    .option('--retry-after <seconds>', 'rate_limited: seconds in Retry-After', whole('--retry-after'))
    .option('--status <n>', 'delivery_error: status of the receiver', whole('--status'))
    .option('--error-class <class>', 'delivery_error: class of a failure without a response: dns, refused, timeout, …')
    .option('--endpoint <id>', 'deliveries to this endpoint only')
    .option('--event-type <event_type>', 'deliveries of this type only')
    .option('--tenant <id>', 'only in this tenant')
    .option('--times <n>', 'number of requests or deliveries; 1 when absent', whole('--times'))
    .option('--probability <p>', 'probability for each of them, from 0 to 1', readProbability)
    .addHelpText('after', EXAMPLES);
  return command.action(async (kind: string) => {
    const options: Readonly<Record<string, string | number>> = command.opts();
    const body: JsonObject = {
      kind,
      ...Object.fromEntries(Object.entries(options).map(([name, value]) => [FIELDS[name] ?? name, value])),
    };
    const { runDev } = await import('./run-dev.ts');
    await runDev(contextOf(command), 'POST', '/_dev/faults', { body });
  });
}

function listCommand(contextOf: ContextOf): Command {
  const command = new Command('list')
    .summary('List the faults')
    .description('List the faults that are active, with the number of times that is left.');
  return addNdjson(command).action(async () => {
    const { runDevList } = await import('./run-dev.ts');
    await runDevList(contextOf(command), '/_dev/faults');
  });
}

function clearCommand(contextOf: ContextOf): Command {
  const command = new Command('clear')
    .summary('Remove faults')
    .description('Remove all faults, or one.')
    .argument('[id]', 'id of the fault (flt_…); all when absent');
  return command.action(async (id: string | undefined) => {
    const { runDev } = await import('./run-dev.ts');
    const path = id === undefined ? '/_dev/faults' : `/_dev/faults/${encodeURIComponent(id)}`;
    await runDev(contextOf(command), 'DELETE', path, { isForOneObject: id !== undefined });
  });
}

/** @throws {@link CliError} `USAGE` */
function readProbability(given: string): number {
  if (/^(0|1|[01]?\.\d{1,6})$/.test(given)) return Number(given);
  throw new CliError('USAGE', `--probability takes a number from 0 to 1, not "${given}"`);
}

const EXAMPLES = `
Examples:
  plat dev faults add cut --when after --operation clients.create
  plat dev faults add error --code SERVICE_UNAVAILABLE --operation '*' --times 3
  plat dev faults add rate_limited --retry-after 5 --operation 'clients.*'
  plat dev faults add delivery_error --status 503 --times 6
  plat dev faults add reorder_deliveries --event-type client.updated`;
