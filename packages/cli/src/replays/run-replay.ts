import type { WebhookReplayCreateParams } from '@plat/contract';
import { connect } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';
import { printResult } from '../output/result.ts';
import { waitForReplay } from './wait-for-replay.ts';

/** Parameters and options of a replay. */
export interface ReplayInvocation {
  readonly input: WebhookReplayCreateParams;
  readonly wait: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Creates a replay and prints it; with `--wait`, after it has ended. */
export async function runReplay(
  context: CommandContext,
  { input, wait, idempotencyKey }: ReplayInvocation,
): Promise<void> {
  const platform = await connect(context, { changes: true });
  const replay = await platform.webhooks.replays.create(input, { idempotencyKey });
  if (wait) await waitForReplay(context, platform, replay);
  else await printResult(context, replay);
  platform.close();
}
