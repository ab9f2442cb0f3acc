import { ALL_EVENT_TYPES, closestWord, type EventType, isAppEventType, isEventType } from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';

/** @throws {@link CliError} `USAGE` for an event type of an app, and for an unknown one, with the closest known one */
export function readEventType(given: string): EventType {
  if (isEventType(given)) return given;
  if (isAppEventType(given)) {
    throw new CliError('USAGE', `${given} is an event type of an app; this command has those of tenants`, {
      next: 'Send a stored event of an app: plat apps webhooks events get <app_id> <event_id> --json | plat webhooks send - --to <url>',
    });
  }
  const closest = closestWord(given, ALL_EVENT_TYPES);
  throw new CliError('USAGE', `${given} is not an event type`, {
    hint: closest && `Did you mean ${closest}?`,
    next: 'List them: plat trigger --list',
  });
}
