import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { CommandError } from '../command-error.ts';
import { printFields, printRows } from '../commands/print.ts';
import { addPaging, JSON_OPTION, type Operate } from './options.ts';

const { createDeveloperAccount, listDevelopers, resetDeveloperSandbox } = lazily(
  () => import('../commands/developers.ts'),
);

export function addDevelopers(program: Command, operate: Operate): void {
  const developers = program.command('developers').description('developer accounts and their sandboxes');
  developers
    .command('create')
    .description('create a developer account with a seeded sandbox, whose API key is shown once')
    .requiredOption('--email <address>', 'email address of the developer')
    .option(...JSON_OPTION)
    .action(async ({ json = false, email }) => {
      printFields(await operate((operator) => createDeveloperAccount(operator, email)), json);
    });
  addPaging(developers.command('list').description('list developer accounts, newest first')).action(
    async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listDevelopers(operator, options)), json);
    },
  );
  program
    .command('sandbox')
    .description('sandboxes of developers')
    .command('reset <tenant_id>')
    .description('reset a sandbox to its seeded content; all other data in it is deleted')
    .option('-y, --yes', 'confirm; required')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, yes = false }) => {
      if (!yes) throw new CommandError('the reset deletes all data except the seeded content; confirm with --yes');
      printFields(await operate((operator) => resetDeveloperSandbox(operator, tenantId)), json);
    });
}
