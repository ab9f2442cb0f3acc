import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookReplay } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { CheckFailedError } from '../cli-error.ts';
import type { CommandContext } from '../context.ts';
import { write } from '../io.ts';
import { safeMessage } from '../output/printable.ts';
import { printResult } from '../output/result.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Waits until a replay has ended, and prints it then; a terminal sees how far it is meanwhile.
 * @throws {@link CheckFailedError} `REPLAY_CANCELED` when somebody ended it before it was done
 */
export async function waitForReplay(
  context: CommandContext,
  platform: Platform,
  created: WebhookReplay,
): Promise<void> {
  const wait = context.io.wait ?? ((ms: number) => sleep(ms));
  let replay = created;
  for (let pause = FIRST_PAUSE_MS; isUnfinished(replay); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    await showProgress(context, replay);
    await wait(pause);
    replay = await platform.webhooks.replays.get(created.id);
  }
  await overwrite(context, '');
  await printResult(context, replay);
  if (replay.status !== 'canceled') return;
  throw new CheckFailedError('REPLAY_CANCELED', 'The replay was canceled before it had come to its end', {
    next: `Replay the rest: ${context.command} …`,
  });
}

function isUnfinished({ status }: WebhookReplay): boolean {
  return status === 'pending' || status === 'running';
}

function showProgress(context: CommandContext, replay: WebhookReplay): Promise<void> {
  const { status, examined_count: examined, total_count: total, scheduled_count: scheduled } = replay;
  const looked = total === null ? '' : `: ${examined} of ${total} events looked at, ${scheduled} to be sent again`;
  return overwrite(context, safeMessage(`${replay.id} is ${status}${looked}`));
}

/** In place of what stands there, on a terminal; elsewhere it would be noise. */
async function overwrite({ io, flags }: CommandContext, text: string): Promise<void> {
  if (io.stderr.isTTY === true && !flags.json) await write(io.stderr, `\r\u001b[K${text}`);
}
