import type { CommandContext } from '../command/context.ts';
import { write } from '../terminal/io.ts';
import { safeMessage } from '../terminal/printable.ts';

/** Progress of a long operation. */
export interface Progress {
  readonly text: string;
  /** Completed share from 0 to 1, if known. */
  readonly share?: number | undefined;
}

export type ShowProgress = (progress: Progress) => Promise<void>;

const BAR = 20;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Runs an operation and shows its progress in one line on stderr, which is cleared at the end. Without a terminal,
 * and in JSON mode, nothing is shown.
 */
export async function withProgress<T>(
  { io, flags }: CommandContext,
  work: (show: ShowProgress) => Promise<T>,
): Promise<T> {
  if (io.stderr.isTTY !== true || flags.json) return work(async () => undefined);
  let isShown = false;
  try {
    return await work(async (progress) => {
      isShown = true;
      await write(io.stderr, `${CLEAR_LINE}${lineOf(progress).slice(0, (io.stderr.columns ?? 80) - 1)}`);
    });
  } finally {
    if (isShown) await write(io.stderr, CLEAR_LINE);
  }
}

function lineOf({ text, share }: Progress): string {
  const line = safeMessage(text);
  if (share === undefined) return line;
  const whole = Math.min(1, Math.max(0, share));
  const done = Math.floor(whole * BAR);
  return `[${'#'.repeat(done)}${' '.repeat(BAR - done)}] ${String(Math.floor(whole * 100)).padStart(3)} %  ${line}`;
}
