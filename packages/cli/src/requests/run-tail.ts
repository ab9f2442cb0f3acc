import type { LoggedRequest } from '@plat/contract';
import { connect } from '../command/connect.ts';
import { type CommandContext, note, print } from '../command/context.ts';
import { pickFields } from '../output/fields.ts';
import { jsonLine } from '../output/result.ts';
import { poll } from '../polling/poll.ts';
import { createRetries } from '../polling/retries.ts';
import { pause, Stopped, stopOnSignals } from '../terminal/stopping.ts';
import { createRequestFeed, openRequestSource } from './request-feed.ts';
import { requestLines } from './request-line.ts';

/** Options of `plat requests tail`. */
export interface TailOptions {
  readonly failed?: boolean;
  readonly code?: string;
  readonly operation?: string;
  readonly credentialId?: string;
}

/** Prints the last `lines` requests and new ones until a signal stops it. */
export async function runTail(context: CommandContext, lines: number, options: TailOptions): Promise<void> {
  // Before the signals: it may read a key from stdin, which a signal must end.
  const platform = await connect(context, { changes: false });
  const stopping = stopOnSignals();
  try {
    const retries = await createRetries(context, stopping.signal);
    const source = openRequestSource(platform, retries, filtersOf(options));
    const feed = createRequestFeed(source, (request) => tell(context, request));
    await feed.begin(lines);
    await note(context, 'Ready: showing requests as they arrive. Ctrl-C stops.');
    await poll(feed, retries.isRateLimitLow, (ms) => pause(context.io, ms, stopping.signal));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    stopping.release();
    platform.close();
  }
}

/** The service validates the filters, so that an older CLI accepts newer codes and operations. */
function filtersOf({ failed, code, operation, credentialId }: TailOptions): Readonly<Record<string, string>> {
  return {
    ...(failed && { outcome: 'failed' }),
    ...(code !== undefined && { code }),
    ...(operation !== undefined && { operation }),
    ...(credentialId !== undefined && { credential_id: credentialId }),
  };
}

async function tell(context: CommandContext, request: LoggedRequest): Promise<void> {
  const { output, fields } = context.flags;
  const isData = output !== 'table' || fields !== undefined;
  const lines = isData ? [jsonLine(pickFields(context, { ...request }))] : requestLines(context, request);
  await print(context, lines.map((line) => `${line}\n`).join(''));
}
