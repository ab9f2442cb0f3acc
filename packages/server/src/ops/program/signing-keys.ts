import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { printFields, printRows } from '../commands/print.ts';
import { JSON_OPTION, type Operate } from './options.ts';

const { listKeys, retireKey, rotateKeys } = lazily(() => import('../commands/signing-keys.ts'));

export function addSigningKeys(program: Command, operate: Operate): void {
  const keys = program.command('signing-keys').description('the keys that sign launch tokens');
  keys
    .command('list')
    .description('list the keys with their next steps')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => printRows(await operate(listKeys), json));
  keys
    .command('rotate')
    .description('create the next key; an hour later, make it the current one')
    .option('--force', 'make it the current one at once, before all receivers have it')
    .option(...JSON_OPTION)
    .action(async ({ json = false, force = false }) => {
      printFields(await operate((operator) => rotateKeys(operator, force)), json);
    });
  keys
    .command('retire <kid>')
    .description('remove a key from the key set, when all its tokens have expired')
    .option('--force', 'remove a compromised key at once: its tokens are refused from then on')
    .option(...JSON_OPTION)
    .action(async (kid: string, { json = false, force = false }) => {
      printFields(await operate((operator) => retireKey(operator, kid, force)), json);
    });
}
