import { type EventType, isEventType } from '@plat/contract';
import { CliError } from '../cli-error.ts';

/** @throws {@link CliError} `USAGE` unless it is an event type of this version */
export function readEventType(given: string): EventType {
  if (isEventType(given)) return given;
  throw new CliError('USAGE', `${given} is no event type`, { next: 'See which there are: plat trigger --list' });
}
