import { connect } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';
import { readPastTime } from '../command/past-time.ts';
import { CliError } from '../errors/cli-error.ts';
import { printResult } from '../output/result.ts';
import { readTenantEventType } from '../webhooks/event-type.ts';
import { runReplay } from './run-replay.ts';

/** Options of the command. */
export interface ReplayDeliveriesOptions {
  readonly failed?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly endpoint?: string;
  readonly type?: readonly string[];
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
}

/** @throws {@link CliError} `USAGE` without a selection of deliveries */
export async function runReplayDeliveries(
  context: CommandContext,
  deliveryId: string | undefined,
  options: ReplayDeliveriesOptions,
): Promise<void> {
  const { failed, since, until, endpoint, type, wait = false, idempotencyKey } = options;
  if (deliveryId !== undefined) {
    if (failed || since || until || endpoint || type || wait) {
      throw new CliError('USAGE', 'Pass either the id of a delivery, or --failed with --since');
    }
    return replayDelivery(context, deliveryId, idempotencyKey);
  }
  if (!failed || since === undefined) {
    throw new CliError('USAGE', 'Pass a delivery, or --failed with --since', {
      next: `${context.command} --failed --since 24h; for events that were never sent: plat webhooks replays create`,
    });
  }
  const time = (option: string, given: string) => new Date(readPastTime(option, given, Date.now())).toISOString();
  await runReplay(context, {
    input: {
      select: 'failed',
      since: time('--since', since),
      ...(until !== undefined && { until: time('--until', until) }),
      ...(endpoint !== undefined && { endpoint_id: endpoint }),
      ...(type !== undefined && {
        event_types: type.flatMap((text) => text.split(',')).map((one) => readTenantEventType(one.trim(), OF_APPS)),
      }),
    },
    wait,
    idempotencyKey,
  });
}

const OF_APPS = 'Replay events of an app: plat apps webhooks replays create <app_id>';

/** Sends the event of a delivery again, to the endpoint of that delivery. */
async function replayDelivery(
  context: CommandContext,
  deliveryId: string,
  idempotencyKey: string | undefined,
): Promise<void> {
  const platform = await connect(context, { changes: true });
  const { event_id, endpoint_id } = await platform.webhooks.deliveries.get(deliveryId);
  const replayed = await platform.webhooks.events.replay(event_id, { endpoint_id }, { idempotencyKey });
  for (const delivery of replayed.data) await printResult(context, delivery);
  platform.close();
}
