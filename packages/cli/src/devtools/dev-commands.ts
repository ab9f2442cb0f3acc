import { Command } from 'commander';
import { addNdjson, type ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';
import { clockCommands } from './clock-commands.ts';
import { faultCommands } from './fault-commands.ts';
import { readTimeoutMs } from './timeout.ts';

/** Summaries of the command groups. */
export const DEV_GROUPS = {
  dev: OTHER_COMMANDS.dev,
  'dev.clock': 'Clock of the server: stop, set and advance it',
  'dev.faults': 'Faults of the server, to test how your program handles them',
} as const;

/** Returns the commands of each group, for a server in development mode on this machine. They need no key. */
export function devCommands(contextOf: ContextOf): readonly (readonly [group: string, commands: readonly Command[]])[] {
  return [
    ['dev', [tenantCommand(contextOf), mailCommand(contextOf), requestsCommand(contextOf), waitCommand(contextOf)]],
    ['dev.clock', clockCommands(contextOf)],
    ['dev.faults', faultCommands(contextOf)],
  ];
}

function tenantCommand(contextOf: ContextOf): Command {
  const command = new Command('tenant')
    .summary('Create a separate sandbox tenant, with a key')
    .description(
      'Create a separate sandbox tenant with a key, a developer and an owner, for a test file that runs beside others.',
    )
    .option('--name <name>', 'name of the tenant; Test when absent')
    .option('--no-seed', 'without the seeded clients, users and invoices')
    .addHelpText(
      'after',
      '\nExamples:\n  export PLAT_API_KEY=$(plat dev tenant --fields api_key --output csv | tail -n 1)',
    );
  return command.action(async () => {
    const { name, seed }: { readonly name?: string; readonly seed: boolean } = command.opts();
    const { runDev } = await import('./run-dev.ts');
    await runDev(contextOf(command), 'POST', '/_dev/tenants', { body: { ...(name !== undefined && { name }), seed } });
  });
}

function mailCommand(contextOf: ContextOf): Command {
  const command = new Command('mail')
    .summary('Show the mails that the server has written')
    .description(
      'Show the mails that the server has written instead of sending them, with their links, the latest last.',
    )
    .option('--to <address>', 'only to this address');
  return addNdjson(command).action(async () => {
    const { to }: { readonly to?: string } = command.opts();
    const { runMail } = await import('./run-dev.ts');
    await runMail(contextOf(command), to);
  });
}

function requestsCommand(contextOf: ContextOf): Command {
  const command = new Command('requests')
    .summary('Show the latest requests of all tenants')
    .description(
      'Show the latest requests of all tenants and of the OAuth endpoints, the newest first; also those whose credential was not valid.',
    )
    .option('--failed', 'only requests with a status of 400 or more, or without a response')
    .option('--limit <n>', '1 to 100; 20 when absent', (given) => readInteger('--limit', given));
  return addNdjson(command).action(async () => {
    const { failed = false, limit }: { readonly failed?: boolean; readonly limit?: number } = command.opts();
    const query = { ...(failed && { outcome: 'failed' }), ...(limit !== undefined && { limit: String(limit) }) };
    const { runDevList } = await import('./run-dev.ts');
    await runDevList(contextOf(command), '/_dev/requests', { query });
  });
}

function waitCommand(contextOf: ContextOf): Command {
  const command = new Command('wait')
    .summary('Wait until no work is due')
    .description('Wait until no delivery, mail or replay is due or in progress. Exits with 6 after the timeout.')
    .option('--timeout <seconds>', 'maximum time to wait; 30 when absent', readTimeoutMs);
  return command.action(async () => {
    const { timeout: timeoutMs }: { readonly timeout?: number } = command.opts();
    const body = timeoutMs === undefined ? {} : { timeout_ms: timeoutMs };
    const { runDev } = await import('./run-dev.ts');
    await runDev(contextOf(command), 'POST', '/_dev/idle', { body, timeoutMs });
  });
}
