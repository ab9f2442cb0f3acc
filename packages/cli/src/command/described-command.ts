import { ID_PREFIXES, LIMITS, type OperationInfo, pathParametersOf } from '@plat/contract';
import { pathParameter } from '@plat/contract/schemas';
import { Command, Option } from 'commander';
import { CliError } from '../errors/cli-error.ts';
import type { CommandContext } from './context.ts';
import type { Field, Fields } from './field.ts';
import { readInteger, readValue } from './input.ts';
import { toKebab } from './kebab.ts';

/** Creates the context of a command when it runs. */
export type ContextOf = (command: Command) => CommandContext;

interface Description {
  readonly name: string;
  readonly info: OperationInfo;
  readonly fields: Fields;
  /** Rules that neither options nor error codes show, in Markdown. */
  readonly details?: string | undefined;
  readonly confirms: boolean;
}

/**
 * Creates the command of an operation without its action: path parameters become arguments, fields become options.
 */
export function describedCommand({ name, info, fields, details, confirms }: Description): Command {
  const text = details === undefined ? info.summary : `${info.summary}. ${details.replaceAll('`', '')}`;
  const command = new Command(name).description(text).summary(info.summary);
  for (const parameter of pathParametersOf(info)) command.argument(`<${parameter}>`, argumentHelp(parameter));
  for (const [field, described] of fields) addField(command, field, described, info);
  if (confirms) command.option('-y, --yes', 'do not ask');
  if (info.method === 'POST') {
    command.option('--idempotency-key <key>', 'makes the command safe to repeat: one key is one request (24 h)');
  }
  return command;
}

/** `client_id` → `id of the client (cli_…)`. */
function argumentHelp(parameter: string): string {
  const { kind, description } = pathParameter(parameter);
  const text = description.charAt(0).toLowerCase() + description.slice(1, -1).replaceAll('`', '');
  return kind === null ? text : `${text} (${ID_PREFIXES[kind]}_…)`;
}

/** Adds the options that every list of /v1 has beside its filters. */
export function addListOptions(command: Command): void {
  command
    .option('--limit <n>', `number of items; 20 when absent, above ${LIMITS.page.max} in several requests`, (given) =>
      readInteger('--limit', given),
    )
    .option('--all', 'all items, in as many requests as needed');
  addNdjson(command);
}

/** Adds `--ndjson`, short for `--output ndjson`. */
export function addNdjson(command: Command): Command {
  return command.option('--ndjson', 'JSON, one object per line');
}

/** Returns the value of the option for a field. */
export function optionOf(command: Command, name: string): unknown {
  const options: Readonly<Record<string, unknown>> = command.opts();
  return options[new Option(`--${toKebab(name)}`).attributeName()];
}

function addField(command: Command, name: string, field: Field, { method }: OperationInfo): void {
  const word = toKebab(name);
  const flags = field.kind === 'flag' ? `--${word}` : `--${word} <${field.placeholder}>`;
  const option = new Option(flags, field.required ? `${field.summary} (required)` : field.summary);
  if (field.required) option.makeOptionMandatory();
  if (field.values) option.choices(field.values);
  else if (field.kind !== 'flag') option.argParser((given, before) => merge(before, readValue(name, field, given)));
  command.addOption(option);
  // A new object has nothing to unset.
  const off = field.nullable && method !== 'POST' ? `unset ${word}` : field.off;
  if (off === undefined) return;
  command.option(`--no-${word}`, off);
  refuseBoth(command, word);
}

/** Throws when both forms are given. The parser would silently use the last one. */
function refuseBoth(command: Command, word: string): void {
  const given = new Set<string>();
  for (const name of [word, `no-${word}`]) {
    command.on(`option:${name}`, () => {
      if (given.add(name).size > 1) throw new CliError('USAGE', `--${word} and --no-${word} exclude each other`);
    });
  }
}

/** Appends to a repeated list option. */
function merge(before: unknown, value: unknown): unknown {
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}
