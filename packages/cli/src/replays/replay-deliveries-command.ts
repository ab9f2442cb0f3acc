import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';

/** `plat webhooks deliveries replay`: sends failed deliveries, or one delivery, again. */
export function replayDeliveriesCommand(contextOf: ContextOf): Command {
  const command = new Command('replay')
    .summary('Resend the failed deliveries since a time, or one delivery')
    .description(
      'Resend every event since a time whose last delivery failed, or the event of one delivery to its endpoint.',
    )
    .argument('[delivery_id]', 'delivery whose event is resent (del_…)')
    .option('--failed', 'all failed deliveries since --since')
    .option('--since <time>', 'events created since then: ISO 8601, or 30m, 24h, 7d')
    .option('--until <time>', 'and before then; now when absent')
    .option('--endpoint <id>', 'only to this endpoint; to every enabled one when absent')
    .option('-t, --type <type...>', 'only events of these types')
    .option('--wait', 'wait until everything is scheduled; a terminal shows the progress')
    .option('--idempotency-key <key>', 'makes the command safe to repeat: one key is one request (24 h)')
    .addHelpText('after', HELP);
  return command.action(async (deliveryId: string | undefined) => {
    const { runReplayDeliveries } = await import('./run-replay-deliveries.ts');
    await runReplayDeliveries(contextOf(command), deliveryId, command.opts());
  });
}

const HELP = `
Each event goes out as it was, from attempt 1; what was sent before stays in the list.
For events that came while an endpoint was disabled: plat webhooks replays create --select missed
With --wait it ends with 0 when the replay is completed and with 11 when it was canceled.

Scope: webhooks:write

Examples:
  plat webhooks deliveries replay --failed --since 24h
  plat webhooks deliveries replay --failed --since 2026-11-20T00:00:00Z --endpoint whe_… --type client.created --wait
  plat webhooks deliveries replay del_…`;
