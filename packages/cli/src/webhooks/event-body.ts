import { signTestEvent } from '@plat/webhooks/testing';
import { CliError } from '../errors/cli-error.ts';
import { readInputBytes } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';
import { isObject, type JsonObject, parseJson } from '../terminal/value.ts';

/** The bytes of an event, with the values for its headers. */
export interface EventBody {
  readonly body: string | Uint8Array;
  readonly eventType: string;
  readonly eventId: string;
}

/** Values that replace those of a sample. */
export interface SampleValues {
  readonly id?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly appId?: string | undefined;
  readonly data?: JsonObject | undefined;
}

/**
 * Reads an event from a file, or from stdin for `-`.
 * @throws {@link CliError} `USAGE` for anything but an event, `UNREADABLE_INPUT`
 */
export async function readEventBody(io: Io, file: string): Promise<EventBody> {
  const body = await readInputBytes(io, 'the event', file);
  const found = identify(body);
  if (found) return { body, ...found };
  throw new CliError(
    'USAGE',
    `${file === '-' ? 'stdin' : file} does not contain an event: a JSON object with id and type`,
    {
      next: 'Use one from plat webhooks events get <event_id> --json, or a sample: --type client.created',
    },
  );
}

/** Returns a sample of a type as the platform sends it, with some of its values replaced. */
export function sampleBody(type: string, values: SampleValues): EventBody {
  const { body, event } = signTestEvent(type, values);
  return { body, eventType: type, eventId: event.id };
}

/** Returns type and id of the event in these bytes; null for anything else. */
export function identify(body: Uint8Array): Omit<EventBody, 'body'> | null {
  const event = parseJson(Buffer.from(body).toString('utf8'));
  if (!isObject(event) || typeof event['type'] !== 'string' || typeof event['id'] !== 'string') return null;
  return { eventType: event['type'], eventId: event['id'] };
}
