import { closestWord } from '@plat/contract';
import type { Command } from 'commander';
import { type CommandContext, print } from '../command/context.ts';
import { version } from '../command/version.ts';
import { CliError } from '../errors/cli-error.ts';
import { listPrinter } from '../output/list.ts';
import { printResult } from '../output/result.ts';
import { groupPage } from './group-page.ts';
import { overviewPage } from './overview-page.ts';
import { commandTree } from './tree.ts';

interface Wanted {
  /** First word of the commands; undefined for all. */
  readonly group: string | undefined;
  readonly markdown: boolean;
}

/**
 * Prints the commands: as a JSON tree, as a page of the reference, or one per line.
 * @throws {@link CliError} `USAGE` for an unknown group
 */
export async function runCommands(context: CommandContext, root: Command, { group, markdown }: Wanted): Promise<void> {
  const { output, fields } = context.flags;
  const [top, ...all] = commandTree(root);
  if (!top) throw new Error('the tree has no root');
  const [first, ...others] = group === undefined ? all : all.filter(({ name }) => name.split(' ', 1)[0] === group);
  if (!first) throw unknownGroup(group ?? '', top.commands);
  const commands = [first, ...others];
  if (markdown) {
    if (output !== 'table') throw new CliError('USAGE', `--markdown and --output ${output} exclude each other`);
    const groups = commands.filter(({ name }) => !name.includes(' '));
    return print(context, group === undefined ? overviewPage(top, groups) : groupPage([first, ...others]));
  }
  if (output === 'json' && !fields) {
    return printResult(context, { object: 'command_tree', version: version(), options: top.options, commands });
  }
  const printer = listPrinter(context);
  const short = commands.map(({ name, summary }) => ({ name, summary }));
  await printer.rows(output === 'table' && !fields ? short : commands.map((command) => ({ ...command })));
  await printer.end();
}

function unknownGroup(given: string, groups: readonly string[]): CliError {
  const closest = closestWord(given, groups);
  return new CliError('USAGE', `There is no group of commands "${given}"`, {
    hint: closest && `Did you mean ${closest}?`,
    next: 'plat help',
  });
}
