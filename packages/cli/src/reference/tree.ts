import { DEVELOPER_OPERATIONS, OPERATIONS, type OperationInfo } from '@plat/contract';
import type { Argument, Command, Option } from 'commander';
import { commandWords, OPERATION_NAMES } from '../command/words.ts';
import { DEVELOPER_COMMANDS, DEVELOPER_OPERATION_NAMES } from '../developer/operations.ts';
import { type Values, valuesOf } from './values.ts';

/** A command or family, as data. */
export interface CommandNode {
  /** The words behind `plat`; empty for the root. */
  readonly name: string;
  /** One line, as the list of its family has it. */
  readonly summary: string;
  readonly description: string;
  readonly arguments: readonly ArgumentNode[];
  readonly options: readonly OptionNode[];
  /** The operation of the API that it calls, where it stands for one. */
  readonly operation: string | null;
  readonly method: OperationInfo['method'] | null;
  readonly path: string | null;
  /** The scope that the key needs. */
  readonly scope: string | null;
  /** Names of the commands below it. */
  readonly commands: readonly string[];
  /** What its help says behind the options: notes and examples. */
  readonly notes: string;
}

export interface ArgumentNode {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly values: Values | null;
}

export interface OptionNode {
  /** As help shows it: `-y, --yes`. */
  readonly flags: string;
  readonly long: string;
  readonly short: string | null;
  readonly description: string;
  readonly required: boolean;
  /** What stands for the value in `flags`; null for one that takes none. */
  readonly value: string | null;
  readonly default: unknown;
  readonly values: Values | null;
}

/** Every command below a root, in the order of its help, families before what is in them; the root first. */
export function commandTree(root: Command): readonly CommandNode[] {
  return nodesOf(root, []);
}

function nodesOf(command: Command, words: readonly string[]): CommandNode[] {
  const name = words.join(' ');
  const [operation = null, info = null] = OPERATION_OF.get(name) ?? [];
  const notes = notesOf(command);
  const node: CommandNode = {
    name,
    summary: command.summary() || command.description(),
    description: command.description(),
    arguments: command.registeredArguments.map(argumentNode),
    options: command.options.filter(({ hidden }) => !hidden).map(optionNode),
    operation,
    method: info?.method ?? null,
    path: info?.path ?? null,
    // Said once: a command that needs a scope says so in its help.
    scope: /^Scope: (\S+)$/m.exec(notes)?.[1] ?? null,
    commands: command.commands.map((child) => child.name()),
    notes,
  };
  return [node, ...command.commands.flatMap((child) => nodesOf(child, [...words, child.name()]))];
}

function argumentNode(argument: Argument): ArgumentNode {
  const { description, required, variadic, argChoices } = argument;
  const name = argument.name();
  return { name, description, required, variadic, values: valuesOf(name, argChoices) };
}

function optionNode({ flags, long, short, description, mandatory, defaultValue, argChoices }: Option): OptionNode {
  const value = /[<[](.+)[>\]]$/.exec(flags)?.[1] ?? null;
  return {
    flags,
    long: long ?? '',
    short: short ?? null,
    description,
    required: mandatory,
    value,
    default: defaultValue ?? null,
    values: value === null ? null : valuesOf(value, argChoices),
  };
}

/** The help of a command without what the parser makes. */
function notesOf(command: Command): string {
  const output = command.configureOutput();
  let all = '';
  command.configureOutput({
    ...output,
    writeOut: (text) => {
      all += text;
    },
  });
  command.outputHelp();
  const notes = all.slice(command.helpInformation().length);
  command.configureOutput(output);
  return notes.trim();
}

type Entry = readonly [name: string, info: OperationInfo];

const OPERATION_OF: ReadonlyMap<string, Entry> = new Map([
  ...OPERATION_NAMES.map((name): [string, Entry] => [commandWords(name).join(' '), [name, OPERATIONS[name]]]),
  ...DEVELOPER_OPERATION_NAMES.map((name): [string, Entry] => [
    DEVELOPER_COMMANDS[name],
    [`developer.${name}`, DEVELOPER_OPERATIONS[name]],
  ]),
]);
