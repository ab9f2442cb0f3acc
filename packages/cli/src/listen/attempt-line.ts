import { type CommandContext, print } from '../command/context.ts';
import { jsonLine } from '../output/result.ts';
import { printable } from '../terminal/printable.ts';
import { styleOf } from '../terminal/style.ts';
import { timeOfDay } from '../terminal/time-of-day.ts';
import type { ForwardAttempt } from './forward.ts';

/** Prints an attempt in one line: as text, or as JSON. */
export async function printAttempt(context: CommandContext, given: ForwardAttempt, now: number): Promise<void> {
  await print(context, `${context.flags.json ? jsonLine(asJson(given)) : asText(context, given, now)}\n`);
}

function asJson({ event, attempt, answer, outcome }: ForwardAttempt) {
  const { status, durationMs, error } = answer;
  return {
    event_id: event.id,
    type: event.type,
    status,
    duration_ms: durationMs,
    attempt,
    outcome,
    ...(error !== null && { error }),
  };
}

const LONGEST_TYPE = 'oauth.app_authorized'.length;
const LONGEST_APP_TYPE = 'installation.reuse_detected'.length;

function asText({ io }: CommandContext, { event, attempt, answer, outcome }: ForwardAttempt, now: number): string {
  const style = styleOf(io, io.stdout);
  const { status, durationMs, error } = answer;
  const result = `${status ?? '---'}  ${`${durationMs} ms`.padStart(8)}`;
  const what = [error, attempt > 1 && `attempt ${attempt}`, outcome === 'failed' && 'gave up'].filter(Boolean);
  const cells = [
    style.faint(timeOfDay(now)),
    printable(event.type).padEnd('app_id' in event ? LONGEST_APP_TYPE : LONGEST_TYPE),
    printable(event.id),
    outcome === 'delivered' ? result : style.alarm(result),
    printable(what.join(', ')),
  ];
  return cells.join('  ').trimEnd();
}
