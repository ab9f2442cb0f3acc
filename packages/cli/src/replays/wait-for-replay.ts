import type { WebhookReplay, WebhookReplaySelect } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { repeatCommand } from '../command/command-line.ts';
import { type CommandContext, note } from '../command/context.ts';
import { CheckFailedError } from '../errors/cli-error.ts';
import { type Progress, withProgress } from '../output/progress.ts';
import { printResult } from '../output/result.ts';
import { sleep } from '../terminal/io.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Waits until a replay has ended, then prints it. A terminal shows the progress.
 * @throws {@link CheckFailedError} `REPLAY_CANCELED` for a replay that was canceled
 */
export async function waitForReplay(
  context: CommandContext,
  platform: Platform,
  created: WebhookReplay,
): Promise<void> {
  const replay = await withProgress(context, async (show) => {
    let latest = created;
    for (let pause = FIRST_PAUSE_MS; isUnfinished(latest); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      await show(progressOf(latest));
      await sleep(context.io, pause);
      latest = await platform.webhooks.replays.get(created.id);
    }
    return latest;
  });
  await printResult(context, replay);
  if (replay.status === 'completed' && replay.scheduled_count === 0) {
    await note(context, `Nothing was scheduled: ${NOTHING_SELECTED[replay.select]}`);
  }
  if (replay.status !== 'canceled') return;
  throw new CheckFailedError('REPLAY_CANCELED', 'The replay was canceled before it was complete', {
    next: `Replay the rest: ${repeatCommand(context)}`,
  });
}

/** Reasons for which a replay sends nothing. */
const NOTHING_SELECTED: Readonly<Record<WebhookReplaySelect, string>> = {
  failed:
    'no event in this time has a failed last delivery. A delivery that waits for its next attempt has not failed.',
  missed: 'every event in this time has a delivery.',
  undelivered: 'every event in this time was delivered, or waits for its next attempt.',
};

function isUnfinished({ status }: WebhookReplay): boolean {
  return status === 'pending' || status === 'running';
}

function progressOf({ id, status, ...counts }: WebhookReplay): Progress {
  const { examined_count: examined, total_count: total, scheduled_count: scheduled } = counts;
  if (total === null) return { text: `${status} (${id})` };
  return {
    text: `${status}: ${examined} of ${total} events examined, ${scheduled} scheduled (${id})`,
    share: total === 0 ? undefined : examined / total,
  };
}
