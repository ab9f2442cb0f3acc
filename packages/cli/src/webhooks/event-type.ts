import { ALL_EVENT_TYPES, type EventType, isEventType } from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';
import { closestWord } from '../terminal/closest-word.ts';

/** @throws {@link CliError} `USAGE` for an unknown event type, with the closest known one */
export function readEventType(given: string): EventType {
  if (isEventType(given)) return given;
  const closest = closestWord(given, ALL_EVENT_TYPES);
  throw new CliError('USAGE', `${given} is not an event type`, {
    hint: closest && `Did you mean ${closest}?`,
    next: 'List them: plat trigger --list',
  });
}
