import { type Command, InvalidArgumentError } from 'commander';
import { DAY_MS } from '../../kernel/clock.ts';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printRows } from '../commands/print.ts';
import { JSON_OPTION, type Operate, readDuration } from './options.ts';

const { grantSupport, listSupport, revokeSupport } = lazily(() => import('../commands/support.ts'));

export function addSupport(program: Command, operate: Operate): void {
  const support = program.command('support').description('read-only keys for the data of a tenant, which expire');
  support
    .command('grant <tenant_id>')
    .description('create a key with every read scope, shown once; the tenant sees it and the reason in its audit trail')
    .requiredOption('--reason <text>', 'reason, for example a ticket; the tenant reads it')
    .option('--expires-in <duration>', 'for example 30m; 24h at most', readSupportDuration, 3_600_000)
    .option(...JSON_OPTION)
    .action(async (tenantId: string, { json = false, ...options }) => {
      printFields(await operate((operator) => grantSupport(operator, tenantId, options)), json);
    });
  support
    .command('list [tenant_id]')
    .description('list the keys that are valid now')
    .option(...JSON_OPTION)
    .action(async (tenantId: string | undefined, { json = false }) => {
      printRows(await operate((operator) => listSupport(operator, tenantId)), json);
    });
  support
    .command('revoke <key_id>')
    .description('end a key at once')
    .option(...JSON_OPTION)
    .action(async (id: string, { json = false }) => {
      printFields(await operate((operator) => revokeSupport(operator, id)), json);
    });
}

function readSupportDuration(given: string): number {
  const ms = readDuration(given);
  if (ms > 0 && ms <= DAY_MS) return ms;
  throw new InvalidArgumentError('must be 1s to 24h.');
}
