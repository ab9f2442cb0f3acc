import type { Command } from 'commander';
import { readData } from '../api/read-data.ts';
import { CliError } from '../cli-error.ts';
import type { CommandContext } from '../context.ts';
import { checkEventType, readEventBody, sampleBody } from './event-body.ts';
import { type SendOptions, sendEvent } from './send-event.ts';

interface Source {
  readonly type?: string;
  readonly data?: string;
}

/** Sends the event of a file, or a sample of a type. */
export async function runSend(context: CommandContext, command: Command, file: string | undefined): Promise<void> {
  const { type, data, ...options }: SendOptions & Source = command.opts();
  if ((type === undefined) === (file === undefined)) {
    throw new CliError('USAGE', 'Give a file with an event (- for stdin), or --type for a sample');
  }
  if (type !== undefined) return sendSample(context, command, { ...options, type, data });
  if (data !== undefined) throw new CliError('USAGE', '--data goes with --type; the event of a file is sent as it is');
  await sendEvent(context, command, options, () => readEventBody(context.io, file ?? '-'));
}

/** Sends a sample of a type; `data` replaces members of its data. */
export async function sendSample(
  context: CommandContext,
  command: Command,
  { type, data, ...options }: SendOptions & { readonly type: string; readonly data: string | undefined },
): Promise<void> {
  checkEventType(type);
  await sendEvent(context, command, options, async () =>
    sampleBody(type, data === undefined ? {} : await readData(context.io, data)),
  );
}
