import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printRows } from '../commands/print.ts';
import { JSON_OPTION, type OnDatabase } from './options.ts';

const { migrationStatus, planMigrations, runMigrations } = lazily(() => import('../commands/migrate.ts'));

export function addMigrate(program: Command, onDatabase: OnDatabase): void {
  const group = program.command('migrate').description('the schema of the database: docs/upgrading.md');
  group
    .command('plan')
    .description('list the operations of the pending migrations, and their effect on running processes; change nothing')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await onDatabase(planMigrations), json));
  group
    .command('up')
    .description('run the pending migrations; can be interrupted and run again')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await onDatabase(runMigrations), json));
  group
    .command('status')
    .description('list all migrations with their state; exit code 1 while some are pending')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => {
      const rows = await onDatabase(migrationStatus);
      printRows(rows, json);
      if (rows.some(({ state }) => state === 'pending')) process.exitCode = 1;
    });
}
