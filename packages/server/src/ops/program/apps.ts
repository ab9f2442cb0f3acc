import { APP_VERIFICATIONS } from '@plat/contract';
import { type Command, Option } from 'commander';
import { lazily } from '../../kernel/lazily.ts';
import { CommandError } from '../command-error.ts';
import { printFields, printRows } from '../commands/print.ts';
import { addPaging, JSON_OPTION, type Operate } from './options.ts';

const { decideReview, listAllApps, removeApp, setAppState } = lazily(() => import('../commands/apps.ts'));

export function addApps(program: Command, operate: Operate): void {
  const apps = program.command('apps').description('OAuth apps of developers, and their review');
  addPaging(apps.command('list').description('list apps, newest first'))
    .addOption(new Option('--verification <status>', 'only apps with this status').choices(APP_VERIFICATIONS))
    .action(async ({ json = false, ...options }) => {
      printRows(await operate((operator) => listAllApps(operator, options)), json);
    });
  for (const [verb, verification, description] of [
    ['verify', 'verified', 'verify an app: every tenant can consent to it'],
    ['reject', 'rejected', 'reject an app: it works with sandboxes only, and loses access to other tenants at once'],
  ] as const) {
    apps
      .command(`${verb} <app_id>`)
      .description(description)
      .option('--reason <text>', 'note for its developer')
      .option(...JSON_OPTION)
      .action(async (appId: string, { json = false, reason }) => {
        printFields(await operate((operator) => decideReview(operator, appId, verification, reason)), json);
      });
  }
  for (const [verb, state, description] of [
    ['disable', 'disabled', 'disable an app and end all consents to it; its developer cannot enable it'],
    ['enable', 'enabled', 'enable a disabled app; tenants must consent again'],
  ] as const) {
    apps
      .command(`${verb} <app_id>`)
      .description(description)
      .option(...JSON_OPTION)
      .action(async (appId: string, { json = false }) => {
        printFields(await operate((operator) => setAppState(operator, appId, state)), json);
      });
  }
  apps
    .command('delete <app_id>')
    .description('delete an app of a developer and end all consents to it')
    .option('-y, --yes', 'confirm; required')
    .option(...JSON_OPTION)
    .action(async (appId: string, { json = false, yes = false }) => {
      if (!yes) throw new CommandError('this deletes the app, its secret and all consents to it; confirm with --yes');
      printFields(await operate((operator) => removeApp(operator, appId)), json);
    });
}
