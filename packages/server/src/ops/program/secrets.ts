import type { Command } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { endProgress, printProgress, printSecrets } from '../commands/print.ts';
import type { SecretsReport } from '../commands/secrets.ts';
import { JSON_OPTION, type Operate } from './options.ts';

const { reencryptSecrets, secretsStatus } = lazily(() => import('../commands/secrets.ts'));

export function addSecrets(program: Command, operate: Operate): void {
  const secrets = program
    .command('secrets')
    .description('values encrypted with PLAT_MASTER_KEY, and the replacement of the key');
  const conclude = (report: SecretsReport, json: boolean): void => {
    printSecrets(report, json);
    if (!report.old_keys_removable) process.exitCode = 1;
  };
  secrets
    .command('status')
    .description(
      'count the values encrypted with the first master key and with others; exit code 1 if there are others',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => conclude(await operate(secretsStatus), json));
  secrets
    .command('reencrypt')
    .description('encrypt all values with the first master key; can be aborted and run again')
    .option(...JSON_OPTION)
    .action(async ({ json = false }) => {
      const report = await operate((operator) => reencryptSecrets(operator, printProgress));
      endProgress();
      conclude(report, json);
    });
}
