import type { Command } from 'commander';
import { type CommandContext, print } from '../command/context.ts';
import { version } from '../command/version.ts';
import { CliError } from '../errors/cli-error.ts';
import { listPrinter } from '../output/list.ts';
import { printResult } from '../output/result.ts';
import { referencePage } from './page.ts';
import { commandTree } from './tree.ts';

/** Prints the commands: as a JSON tree, as a Markdown page, or one per line. */
export async function runCommands(context: CommandContext, root: Command, markdown: boolean): Promise<void> {
  const { output, fields } = context.flags;
  const [top, ...commands] = commandTree(root);
  if (!top) throw new Error('the tree has no root');
  if (markdown) {
    if (output !== 'table') throw new CliError('USAGE', `--markdown and --output ${output} exclude each other`);
    return print(context, referencePage(top, commands));
  }
  if (output === 'json' && !fields) {
    return printResult(context, { object: 'command_tree', version: version(), options: top.options, commands });
  }
  const printer = listPrinter(context);
  const short = commands.map(({ name, summary }) => ({ name, summary }));
  await printer.rows(output === 'table' && !fields ? short : commands.map((command) => ({ ...command })));
  await printer.end();
}
