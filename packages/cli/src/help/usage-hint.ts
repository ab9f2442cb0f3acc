import { closestWord } from '@plat/contract';
import type { Command } from 'commander';

/** Maximum number of commands in a hint. */
const MOST_NAMED = 4;

/** Returns the likely mistake of a command line, where the parser suggests nothing. */
export function usageHint(command: Command, message: string, args: readonly string[]): string | undefined {
  return nearChoice(message) ?? sameName(command, message) ?? unknownOption(command, message, args);
}

/** The parser suggests commands and options, and no values. */
function nearChoice(message: string): string | undefined {
  const [, given, choices] =
    /'([^']*)' is invalid(?: for argument '[^']*')?\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  if (given === undefined || choices === undefined) return undefined;
  const meant = closestWord(given, choices.split(', '));
  return meant && `Did you mean ${meant}?`;
}

/** `plat deliveries`: the command is below another group. */
function sameName(command: Command, message: string): string | undefined {
  const [, given] = /^unknown command '([^']+)'/.exec(message) ?? [];
  if (given === undefined) return undefined;
  const names = namesBelow(rootOf(command), 'plat').filter((name) => name.endsWith(` ${given}`));
  if (names.length === 0 || names.length > MOST_NAMED) return undefined;
  return `Did you mean ${names.join(', ')}?`;
}

function namesBelow({ commands }: Command, above: string): readonly string[] {
  return commands.flatMap((child) => {
    const name = `${above} ${child.name()}`;
    return [name, ...namesBelow(child, name)];
  });
}

/** The parser reports a missing option first, also when it is there and misspelt. */
function unknownOption(command: Command, message: string, args: readonly string[]): string | undefined {
  if (!message.startsWith('required option ')) return undefined;
  const known = lineOf(command).flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
  const end = args.indexOf('--');
  const given = (end === -1 ? args : args.slice(0, end))
    .filter((arg) => /^--[a-z]/.test(arg))
    .map((arg) => arg.replace(/=.*$/s, ''))
    .find((arg) => !known.includes(arg));
  if (given === undefined) return undefined;
  const meant = closestWord(given, known);
  return `${given} is not an option.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

/** Returns the command and those above it. */
function lineOf(command: Command): readonly Command[] {
  return command.parent ? [command, ...lineOf(command.parent)] : [command];
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
