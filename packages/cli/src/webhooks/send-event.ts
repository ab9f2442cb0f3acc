import { LIMITS } from '@plat/contract';
import type { Command } from 'commander';
import type { CommandContext } from '../command/context.ts';
import { CheckFailedError, CliError } from '../errors/cli-error.ts';
import { printResult } from '../output/result.ts';
import { newDeliveryId } from './delivery-id.ts';
import type { EventBody } from './event-body.ts';
import { type EventAnswer, postEvent, wasAccepted } from './post-event.ts';
import { readSecrets } from './secrets.ts';

/** The options of a command that sends an event. */
export interface SendOptions {
  readonly to: string;
  /** Time of the signature, in Unix seconds. */
  readonly timestamp?: number;
  /** Seconds. */
  readonly timeout?: number;
}

/**
 * Signs an event, posts it and prints the response.
 * @throws {@link CheckFailedError} `NOT_ACCEPTED` unless the response is complete and 2xx
 */
export async function sendEvent(
  context: CommandContext,
  command: Command,
  { to, timestamp, timeout = LIMITS.webhook.timeoutSeconds }: SendOptions,
  readEvent: () => Promise<EventBody>,
): Promise<void> {
  if (!/^https?:\/\/[^/]/i.test(to) || !URL.canParse(to)) {
    throw new CliError('USAGE', `--to takes an http or https URL, not "${to}"`);
  }
  const secrets = await readSecrets(context.io, command);
  const event = await readEvent();
  const deliveryId = newDeliveryId();
  const now = timestamp === undefined ? Date.now() : timestamp * 1000;
  const answer = await postEvent({ ...event, url: to, deliveryId, secrets, now, timeoutMs: timeout * 1000 });
  await printResult(context, {
    object: 'webhook_answer',
    event_id: event.eventId,
    event_type: event.eventType,
    delivery_id: deliveryId,
    status: answer.status,
    error: answer.error,
    error_code: answer.errorCode,
    duration_ms: answer.durationMs,
    headers: answer.headers,
    body: answer.body,
  });
  if (!wasAccepted(answer)) throw notAccepted(answer);
}

function notAccepted({ status, error, errorCode }: EventAnswer): CheckFailedError {
  const what = status === null ? 'The receiver did not answer' : `The receiver answered ${status}`;
  const message = error === null ? what : `${what}: ${error}`;
  return new CheckFailedError('NOT_ACCEPTED', message, { hint: hintFor(status, errorCode) });
}

function hintFor(status: number | null, errorCode: string | null): string | undefined {
  if (errorCode === 'ECONNREFUSED') return 'Nothing listens there. Check that the receiver runs on this port.';
  if (status === null) return undefined;
  if (status >= 300 && status < 400) return 'Redirects are not followed, neither here nor by the platform.';
  if (status === 400 || status === 401 || status === 403) {
    return 'Check that the receiver verifies with the secret that signed this: plat webhooks verify shows what is wrong.';
  }
  return undefined;
}
