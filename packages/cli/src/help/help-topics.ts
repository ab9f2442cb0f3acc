import { closestWord } from '@plat/contract';
import type { Command } from 'commander';
import { CONNECTION_ORDER, ENVIRONMENT } from '../connection/environment.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT_CODE_MEANINGS, EXIT_CODES } from '../errors/exit-codes.ts';

/** Topics of `plat help` that are not commands. */
const HELP_TOPICS: Readonly<Record<string, () => string>> = {
  'exit-codes': exitCodes,
  environment,
};

/**
 * Returns the text of a help topic; null when the words name a command.
 * @throws {@link CliError} `USAGE` for an unknown topic
 */
export function helpTopic(program: Command, words: readonly string[]): string | null {
  const [first = '', ...more] = words;
  const topic = more.length === 0 && Object.hasOwn(HELP_TOPICS, first) ? HELP_TOPICS[first] : undefined;
  if (topic) return topic();
  let parent = program;
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-')) break;
    const child = parent.commands.find((command) => command.name() === word);
    if (child) parent = child;
    else if (parent.commands.length > 0) throw unknown(parent, words.slice(0, index), word);
  }
  return null;
}

function unknown(parent: Command, before: readonly string[], word: string): CliError {
  const names = [
    ...parent.commands.map((command) => command.name()),
    ...(before.length === 0 ? Object.keys(HELP_TOPICS) : []),
  ];
  const closest = closestWord(word, names);
  return new CliError('USAGE', `There is no command or help topic "${[...before, word].join(' ')}"`, {
    hint: closest && `Did you mean ${[...before, closest].join(' ')}?`,
    next: ['plat help', ...before].join(' '),
  });
}

function exitCodes(): string {
  const names = Object.keys(EXIT_CODES) as (keyof typeof EXIT_CODES)[];
  const rows = names.map((name) => `  ${String(EXIT_CODES[name]).padStart(2)}  ${EXIT_CODE_MEANINGS[name]}`);
  return `Exit codes of plat; the number of each stays the same in every version.

${rows.join('\n')}

plat listen … -- <command> ends with the exit code of its command. plat explain <CODE> shows the exit code of an error code.
`;
}

function environment(): string {
  const width = Math.max(...Object.keys(ENVIRONMENT).map((name) => name.length)) + 2;
  const rows = Object.entries(ENVIRONMENT).map(([name, effect]) => `  ${name.padEnd(width)}${effect}`);
  return `The server and the key come from the first of:

${CONNECTION_ORDER.map((source, i) => `  ${i + 1}. ${source.replaceAll('`', '')}`).join('\n')}

Environment variables:

${rows.join('\n')}
`;
}
