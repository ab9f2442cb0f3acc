import { type Command, Option } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import type { CopyOptions } from '../commands/copy.ts';
import { printFields, printNotes, printRows } from '../commands/print.ts';
import { type Configured, JSON_OPTION } from './options.ts';

const { backUp, restore } = lazily(() => import('../commands/backup.ts'));
const { copyDatabase } = lazily(() => import('../commands/copy.ts'));

/** Commands on the database as a whole. */
export function addDatabase(program: Command, configured: Configured): void {
  program
    .command('copy')
    .description('copy all data to an empty database of any kind, and compare every row; exit code 1 if any differs')
    .addOption(
      new Option(
        '--from <url>',
        'database to read, such as sqlite:.plat/plat.db; the variable keeps its password off the command line',
      )
        .env('SOURCE_DATABASE_URL')
        .makeOptionMandatory(),
    )
    .option('--to <url>', 'database to write; defaults to DATABASE_URL, which keeps the password off the command line')
    .option('--resume', 'continue an interrupted copy', false)
    .option('--compare-only', 'copy nothing', false)
    .option(...JSON_OPTION)
    .action(async ({ json = false, ...options }: CopyOptions & { json?: boolean }) => {
      const { copied, seconds, tables, isSame } = await configured((configuration) =>
        copyDatabase(configuration, options, say),
      );
      printRows(
        tables.map((table) => ({ ...table })),
        json,
      );
      const rate = Math.round(copied / Math.max(seconds, 0.001));
      if (!options.compareOnly) say(`${copied} rows copied in ${seconds.toFixed(1)} s (${rate} rows/s)`);
      say(isSame ? 'no differences' : 'THE DATABASES DIFFER');
      if (!isSame) process.exitCode = 1;
    });
  program
    .command('backup <file>')
    .description('write a consistent copy of the SQLite database to a new file; the server may be running')
    .option(...JSON_OPTION)
    .action(async (file: string, { json = false }) => {
      printFields(await configured(({ config, now }) => backUp(config, file, now)), json);
    });
  program
    .command('restore <file>')
    .description('replace the SQLite database by a backup; no server may be running')
    .option('-y, --yes', 'confirm that the present database is replaced; it is kept under another name', false)
    .option(...JSON_OPTION)
    .action(async (file: string, { json = false, yes }) => {
      printFields(await configured(({ config, now }) => restore(config, file, { yes, now })), json);
    });
}

function say(line: string): void {
  printNotes([line]);
}
