import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';
import { addTimeoutOption } from '../command/timeout-option.ts';
import { CliError } from '../errors/cli-error.ts';
import { readEventType } from '../webhooks/event-type.ts';
import { addSecretOptions } from '../webhooks/secret-options.ts';
import type { Trigger } from './run-trigger.ts';

/** `plat trigger <event_type>`: makes the real change that causes an event. */
export function triggerCommand(contextOf: ContextOf): Command {
  const command = new Command('trigger')
    .summary(OTHER_COMMANDS.trigger)
    .description(
      'Cause an event by making the real change with the API key, and print the changes.\nCreated objects are named as samples and stay, unless --cleanup is given.',
    )
    .argument('[event_type]', 'for example client.created')
    .option('--list', 'show the cause of each type of tenants and apps, and its options')
    .option('--id <id>', 'act on this object instead of a sample')
    .option('-d, --data <json|@file|->', 'fields of the request that causes the event (with --raw: of its data)')
    .option('--wait', 'wait for the first attempt at each endpoint, and show the response')
    .option('--cleanup', 'remove the created objects at the end (which causes events too)')
    .option('-y, --yes', 'do not ask before user.deactivated')
    .option('--raw', 'change nothing: send a signed sample of the type to --to')
    .option('--to <url>', 'with --raw: URL that it is posted to');
  addSecretOptions(command);
  addTimeoutOption(command, 'seconds to wait, with --wait or --raw', '30 or 10').addHelpText('after', EXAMPLES);

  return command.action(async (given: string | undefined) => {
    const options: Options = command.opts();
    const context = contextOf(command);
    if (options.list) {
      const { listCauses } = await import('./list-causes.ts');
      return listCauses(context);
    }
    if (given === undefined) {
      throw new CliError('USAGE', 'Pass an event type', { next: 'List them: plat trigger --list' });
    }
    const type = readEventType(given);
    const misplaced = (options.raw ? OF_THE_CHANGE : OF_RAW).find((name) => options[name] !== undefined);
    if (misplaced) {
      const flag = misplaced === 'secretFile' ? 'secret-file' : misplaced;
      throw new CliError(
        'USAGE',
        options.raw ? `--${flag} cannot be used with --raw, which changes nothing` : `--${flag} needs --raw`,
      );
    }
    if (options.raw) {
      if (options.to === undefined) throw new CliError('USAGE', '--raw needs --to <url>');
      const { sendSample } = await import('../webhooks/run-send.ts');
      const { to, data, timeout } = options;
      return sendSample(context, command, { type, to, data, ...(timeout !== undefined && { timeout }) });
    }
    const { runTrigger } = await import('./run-trigger.ts');
    return runTrigger(context, { ...options, type });
  });
}

interface Options extends Omit<Trigger, 'type'> {
  readonly list?: boolean;
  readonly raw?: boolean;
  readonly to?: string;
  readonly secretFile?: readonly string[];
}

const OF_RAW = ['to', 'secretFile'] as const;
const OF_THE_CHANGE = ['id', 'wait', 'cleanup', 'yes'] as const;

const EXAMPLES = `
With --wait the exit code is 11 when an endpoint does not accept the event in its first attempt.

Examples:
  plat trigger client.created --wait
  plat trigger client.updated --id cli_… --data '{"name":"Acme"}'
  plat trigger group.member_added --cleanup
  plat trigger tenant.suspended --raw --to http://localhost:3000/webhooks
  plat trigger installation.revoked --raw --to http://localhost:3000/app-events --secret-file app-secret.txt`;
