import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { collect } from '../command/input.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';
import type { ListenOptions } from './invocation.ts';

/** `plat listen`: forwards live events to the developer's machine. */
export function listenCommand(contextOf: ContextOf): Command {
  const command = new Command('listen')
    .summary(OTHER_COMMANDS.listen)
    .description(
      'Forward live events to an address on your machine, signed as the platform signs them, until Ctrl-C. It continues where it stopped: events that occur while it, or your application, is down are forwarded later.',
    )
    .argument(
      '[command...]',
      'after --: runs beside it, with the secret in PLAT_WEBHOOK_SECRET (--app: in PLAT_APP_WEBHOOK_SECRET)',
    )
    .requiredOption('--to <url>', 'URL that events are posted to (required)')
    .option('--app <id>', 'forward the events of this app instead; needs plat login')
    .option('--events <event_type,…>', "event types to forward, or '*' for all; all when absent", collect)
    .option('--since <time>', 'start with events since then: ISO 8601, or 10m, 2h, 1d')
    .option('--skip-history', 'start with new events and skip missed ones')
    .option('--once [n]', 'exit after n accepted events; 1 without a number')
    .option('--secret-file <file>', 'signing secret; created if the file does not exist')
    .option('--cursor-file <file>', 'file for its position')
    .option('--ready-file <file>', 'written when it is ready: JSON with pid, tenant_id or app_id, to, secret_file')
    .option('--ndjson', 'JSON, one object per line, as --json')
    .addHelpText('after', HELP);
  return command.action(async (words: readonly string[]) => {
    const [{ readInvocation }, { runListen }] = await Promise.all([
      import('./invocation.ts'),
      import('./run-listen.ts'),
    ]);
    await runListen(contextOf(command), readInvocation(command.opts<ListenOptions & object>(), words, Date.now()));
  });
}

const HELP = `
Prints one line for each answer of your application. One that does not run is waited for; an event that is not
answered with 2xx is sent four times, then reported and passed over. Needs a key with webhooks:read; with --app, a login.

Scope: webhooks:read

Examples:
  plat listen --to http://localhost:3000/webhooks -- npm start
  plat listen --to http://localhost:3000/webhooks --events client.created,client.updated
  plat listen --to http://localhost:3000/webhooks --since 10m --once 5 --json
  plat listen --app app_… --to http://localhost:3000/app-events -- npm start`;
