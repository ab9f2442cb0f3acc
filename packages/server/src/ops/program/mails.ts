import { type Command, Option } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printRows } from '../commands/print.ts';
import { JSON_OPTION, type Operate, readLimit } from './options.ts';

const { listMails, retryMails } = lazily(() => import('../commands/mails.ts'));

export function addMails(program: Command, operate: Operate): void {
  const mails = program.command('mails').description('mails that are queued, sent or given up');
  mails
    .command('list')
    .description('list mails, newest first, without recipients and texts')
    .option('--limit <n>', 'how many', readLimit, 100)
    .option(...JSON_OPTION)
    .addOption(
      new Option('--status <status>', 'mails with this status').choices(['queued', 'sent', 'failed']).default('queued'),
    )
    .action(async ({ json = false, status, limit }) => {
      printRows(await operate((operator) => listMails(operator, { status, limit })), json);
    });
  mails
    .command('retry')
    .description('send all queued mails now, instead of at their next attempt')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printFields(await operate(retryMails), json));
}
