import { LIMITS, OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';
import { Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { needsConfirmation } from './confirmed.ts';
import type { AnyField } from './field.ts';
import { CURSOR_FIELDS, fieldsOf, PATH_PARAMETERS } from './fields.ts';
import { readInput, readInteger, readValue } from './input.ts';
import { commandWords, pathParameters, toKebab } from './words.ts';

/** Makes the context of a command that is about to run. */
export type ContextOf = (command: Command) => CommandContext;

/** The command of an operation: path parameters are its arguments, query or body fields its options. */
export function operationCommand(operation: OperationName, contextOf: ContextOf): Command {
  const info: OperationInfo = OPERATIONS[operation];
  const fields = [...fieldsOf(operation), ...(info.list ? Object.entries<AnyField>(CURSOR_FIELDS) : [])];
  const command = new Command(commandWords(operation).at(-1)).description(info.summary).summary(info.summary);
  for (const name of pathParameters(operation)) command.argument(`<${name}>`, describeParameter(name));
  for (const [name, field] of fields) addField(command, name, field, info);
  if (info.list) addListOptions(command);
  if (needsConfirmation(operation)) command.option('-y, --yes', 'do not ask');
  if (info.method === 'POST') {
    command.option('--idempotency-key <key>', 'makes it safe to repeat: the same key does the work once (24 h)');
  }
  if (info.scope !== null) command.addHelpText('after', `\nScope: ${info.scope}`);

  // What runs a command is loaded when one runs: help does without.
  return command.action(async () => {
    const options: Readonly<Record<string, unknown>> = command.opts();
    const input = readInput(operation, fields, (name) => options[attribute(name)]);
    const context = contextOf(command);
    const path = command.args;
    if (info.list) {
      const limit = typeof options['limit'] === 'number' ? options['limit'] : undefined;
      const [all, ndjson] = [options['all'] === true, options['ndjson'] === true];
      const { runList } = await import('./run-list.ts');
      await runList(context, { operation, path, query: input, limit, all, ndjson });
    } else {
      const key = options['idempotencyKey'];
      const idempotencyKey = typeof key === 'string' ? key : undefined;
      const { runOperation } = await import('./run-operation.ts');
      await runOperation(context, { operation, path, input, yes: options['yes'] === true, idempotencyKey });
    }
  });
}

function addField(command: Command, name: string, field: AnyField, { method }: OperationInfo): void {
  if (field.sameAs !== undefined) return;
  const word = toKebab(name);
  const flags = field.kind === 'flag' ? `--${word}` : `--${word} <${field.placeholder}>`;
  const option = new Option(flags, field.required ? `${field.summary} (required)` : field.summary);
  if (field.required) option.makeOptionMandatory();
  if (field.values) option.choices(field.values);
  else if (field.kind !== 'flag') option.argParser((given, before) => merge(before, readValue(name, field, given)));
  command.addOption(option);
  // What is made has nothing to unset yet.
  const off = field.nullable && method !== 'POST' ? `unset ${word}` : field.off;
  if (off !== undefined) command.option(`--no-${word}`, off);
}

function addListOptions(command: Command): void {
  command
    .option('--limit <n>', `how many; 20 when absent, above ${LIMITS.page.max} in several requests`, (given) =>
      readInteger('--limit', given),
    )
    .option('--all', 'all there are, in as many requests as it takes')
    .option('--ndjson', 'JSON, one object a line');
}

/** A list option that is given again goes on; any other is replaced. */
function merge(before: unknown, value: unknown): unknown {
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

function describeParameter(name: string): string {
  const known: Readonly<Record<string, string>> = PATH_PARAMETERS;
  return known[name] ?? name;
}

/** The name under which commander keeps an option. */
function attribute(name: string): string {
  return new Option(`--${toKebab(name)}`).attributeName();
}
