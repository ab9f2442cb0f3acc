import type { AnyEventType } from '@plat/contract';
import type { Command } from 'commander';
import { readData } from '../api/read-data.ts';
import type { CommandContext } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { readEventBody, sampleBody } from './event-body.ts';
import { readEventType } from './event-type.ts';
import { type SendOptions, sendEvent } from './send-event.ts';

interface Source {
  readonly type?: string;
  readonly data?: string;
}

/** Sends the event of a file, or a sample of a type. */
export async function runSend(context: CommandContext, command: Command, file: string | undefined): Promise<void> {
  const { type, data, ...options }: SendOptions & Source = command.opts();
  if ((type === undefined) === (file === undefined)) {
    throw new CliError('USAGE', 'Pass a file with an event (- for stdin), or --type for a sample');
  }
  if (type !== undefined) return sendSample(context, command, { ...options, type: readEventType(type), data });
  if (data !== undefined) throw new CliError('USAGE', '--data needs --type; the event of a file is sent unchanged');
  await sendEvent(context, command, options, () => readEventBody(context.io, file ?? '-'));
}

/** Sends a sample of a type; `data` replaces members of its data. */
export async function sendSample(
  context: CommandContext,
  command: Command,
  { type, data, ...options }: SendOptions & { readonly type: AnyEventType; readonly data: string | undefined },
): Promise<void> {
  await sendEvent(context, command, options, async () =>
    sampleBody(type, data === undefined ? {} : await readData(context.io, data)),
  );
}
