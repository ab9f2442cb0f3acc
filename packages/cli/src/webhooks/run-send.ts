import { type AnyEventType, isAppEventType } from '@plat/contract';
import type { Command } from 'commander';
import { readData } from '../api/read-data.ts';
import type { CommandContext } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { readEventBody, sampleBody } from './event-body.ts';
import { readEventType } from './event-type.ts';
import { type SendOptions, sendEvent } from './send-event.ts';

interface Source extends SampleIds {
  readonly type?: string;
  readonly data?: string;
}

/** Ids that replace those of a sample. */
interface SampleIds {
  readonly eventId?: string | undefined;
  readonly tenant?: string | undefined;
  readonly app?: string | undefined;
}

/** Sends the event of a file, or a sample of a type. */
export async function runSend(context: CommandContext, command: Command, file: string | undefined): Promise<void> {
  const { type, data, eventId, tenant, app, ...options }: SendOptions & Source = command.opts();
  if ((type === undefined) === (file === undefined)) {
    throw new CliError('USAGE', 'Pass a file with an event (- for stdin), or --type for a sample');
  }
  if (type !== undefined) {
    const sample = { type: readEventType(type), data, eventId, tenant, app };
    return sendSample(context, command, { ...options, ...sample });
  }
  const ofSample = { data, 'event-id': eventId, tenant, app };
  const misplaced = Object.entries(ofSample).find(([, value]) => value !== undefined);
  if (misplaced) {
    throw new CliError('USAGE', `--${misplaced[0]} needs --type; the event of a file is sent unchanged`);
  }
  await sendEvent(context, command, options, () => readEventBody(context.io, file ?? '-'));
}

/**
 * Sends a sample of a type; `data` replaces members of its data.
 * @throws {@link CliError} `USAGE` for the id of an app with an event type of tenants
 */
export async function sendSample(
  context: CommandContext,
  command: Command,
  {
    type,
    data,
    eventId,
    tenant,
    app,
    ...options
  }: SendOptions & SampleIds & { readonly type: AnyEventType; readonly data: string | undefined },
): Promise<void> {
  if (app !== undefined && !isAppEventType(type)) {
    throw new CliError('USAGE', `--app is for event types of apps; ${type} is one of tenants`);
  }
  await sendEvent(context, command, options, async () => {
    const fields = data === undefined ? {} : await readData(context.io, data);
    return sampleBody(type, { id: eventId, tenantId: tenant, appId: app, data: fields });
  });
}
