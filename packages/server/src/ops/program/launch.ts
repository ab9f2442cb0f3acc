import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { CommandError } from '../command-error.ts';
import { printFields } from '../commands/print.ts';
import { JSON_OPTION, type Operate, readList } from './options.ts';

const { launchModule, limitClientOf } = lazily(() => import('../commands/launch.ts'));

export function addLaunch(program: Command, operate: Operate): void {
  program
    .command('launch')
    .description("print a launch token, which a user's browser posts to a module; recorded in the tenant's audit trail")
    .requiredOption('--tenant <tenant_id>', 'tenant')
    .requiredOption('--client <client_id>', 'client of the launch')
    .requiredOption('--user <user_id>', 'active user')
    .requiredOption('--module <slug>', 'module of the catalog')
    .option('--group <group_id>', 'selected group')
    .option(...JSON_OPTION)
    .action(async ({ json = false, ...options }) => {
      const launched = await operate((operator) => launchModule(operator, options));
      if (json) printFields(launched, true);
      else process.stdout.write(`${launched.token}\n`);
    });
  program
    .command('clients')
    .description('clients of tenants')
    .command('limit <tenant_id> <client_id>')
    .description('limit the capabilities of a client in launch tokens')
    .option('--capabilities <ids>', 'allowed capabilities, separated by commas; "" for none', readList)
    .option('--all', 'remove the limit')
    .option(...JSON_OPTION)
    .action(async (tenantId: string, clientId: string, { json = false, all = false, capabilities }) => {
      if (all === (capabilities !== undefined)) throw new CommandError('use either --capabilities or --all');
      const limit = all ? null : capabilities;
      printFields(await operate((operator) => limitClientOf(operator, tenantId, clientId, limit)), json);
    });
}
