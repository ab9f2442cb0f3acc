import { type AnyEventType, type EventType, isEventType, type WebhookDelivery } from '@plat/contract';
import { readData } from '../api/read-data.ts';
import { shellWord } from '../command/command-line.ts';
import { confirm } from '../command/confirm.ts';
import { connect } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { CheckFailedError, CliError } from '../errors/cli-error.ts';
import { printResult } from '../output/result.ts';
import { sleep } from '../terminal/io.ts';
import { CAUSES, type Cause, type NotCausable } from './causes.ts';
import { type Watched, watch } from './first-attempts.ts';
import { createTriggerRequests } from './trigger-requests.ts';

/** Options of `plat trigger`. */
export interface Trigger {
  readonly type: AnyEventType;
  readonly id?: string;
  readonly data?: string;
  readonly wait?: boolean;
  /** Timeout of `--wait`, in seconds. */
  readonly timeout?: number;
  readonly cleanup?: boolean;
  readonly yes?: boolean;
}

/**
 * Makes the change that causes an event, and prints the changes.
 * @throws {@link CliError} `EVENT_NOT_CAUSABLE`, `USAGE` for an option that does not fit the type
 * @throws {@link CheckFailedError} with `--wait`: `NOT_ACCEPTED`, `NO_ENDPOINT`, `NOT_IN_TIME`
 */
export async function runTrigger(context: CommandContext, trigger: Trigger): Promise<void> {
  const { id, wait = false, timeout = DEFAULT_WAIT_SECONDS, cleanup = false, yes = false } = trigger;
  const { type, cause } = causeOf(context, trigger);
  const data = trigger.data === undefined ? {} : await readData(context.io, trigger.data);
  const platform = await connect(context, { changes: true });
  if (cause.confirms) await confirm(context, yes, `Cause ${type} for ${id}? The change is real and permanent.`);
  const requests = createTriggerRequests(platform, { id, data });
  const watching = wait ? await watch(platform, type) : null;
  let watched: Watched | null = null;
  try {
    try {
      const identity = await cause.run(requests);
      if (watching) {
        await note(context, `Change made; waiting up to ${timeout} s for its deliveries.`);
        watched = await watching.until(identity, timeout, (ms) => sleep(context.io, ms));
      }
    } finally {
      if (cleanup) await requests.cleanUp();
    }
  } finally {
    // Also after a failure, since objects may have been created.
    if (requests.changes.length > 0)
      await printResult(context, { object: 'trigger', type, did: requests.changes, ...watched });
    platform.close();
  }
  if (watched) check(type, timeout, watched);
}

/** Default timeout of `--wait`: an attempt may take 10 s, and may not be the next in the queue. */
const DEFAULT_WAIT_SECONDS = 30;

function causeOf(
  { command }: CommandContext,
  { type, id, data }: Trigger,
): { readonly type: EventType; readonly cause: Cause } {
  if (!isEventType(type)) throw notCausable(command, type, CAUSES[type]);
  const cause = CAUSES[type];
  if ('why' in cause) throw notCausable(command, type, cause);
  const next = { next: `See ${command} --list.` };
  if (id === undefined && cause.needsId) throw new CliError('USAGE', `${type} needs --id <${cause.id}_id>`, next);
  if (id !== undefined && !cause.id) throw new CliError('USAGE', `${type} does not accept --id`, next);
  if (data !== undefined && !cause.acceptsData) throw new CliError('USAGE', `${type} does not accept --data`, next);
  return { type, cause };
}

function notCausable(command: string, type: AnyEventType, { why, next }: NotCausable): CliError {
  return new CliError('EVENT_NOT_CAUSABLE', `${why}: no API key causes ${type}`, {
    hint: `To test a receiver with a sample: ${command} ${type} --raw --to <url>`,
    next,
  });
}

function check(type: EventType, timeout: number, { event, deliveries }: Watched): void {
  const next = event
    ? `plat webhooks deliveries list --event-id ${shellWord(event.id)}`
    : `plat webhooks events list --type ${type}`;
  if (event && deliveries.length === 0) {
    throw new CheckFailedError('NO_ENDPOINT', `No enabled endpoint subscribes to ${type}`, {
      hint: 'An endpoint created later receives it only by a replay. plat listen shows the events that it forwards.',
      next: `plat webhooks endpoints create --url <url> --events ${type}`,
    });
  }
  const failed = deliveries.filter(({ status }) => status === 'retrying' || status === 'failed');
  if (failed.length > 0) {
    const answers = failed.map((one) => `${one.endpoint_id} ${answerOf(one)}`).join('; ');
    throw new CheckFailedError(
      'NOT_ACCEPTED',
      `${failed.length} of ${deliveries.length} did not accept it: ${answers}`,
      { next },
    );
  }
  const open = deliveries.filter(({ status }) => status === 'pending').length;
  if (event && open === 0) return;
  const what = event ? `${open} of ${deliveries.length} were not attempted` : 'The event was not listed';
  throw new CheckFailedError('NOT_IN_TIME', `${what} within ${timeout} s`, {
    hint: 'plat-server serve or plat-server worker sends deliveries; an endpoint that keeps failing is paused.',
    next,
  });
}

function answerOf({ response_status: status, error }: WebhookDelivery): string {
  return error ?? `answered ${status}`;
}
