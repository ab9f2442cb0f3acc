import {
  ALL_APP_EVENT_TYPES,
  ALL_EVENT_TYPES,
  type AnyEventType,
  type AppEventType,
  closestWord,
  type EventType,
  isAppEventType,
  isEventType,
} from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';

/** @throws {@link CliError} `USAGE` for an unknown event type, with the closest known one */
export function readEventType(given: string): AnyEventType {
  if (isEventType(given) || isAppEventType(given)) return given;
  throw unknownType(given, [...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES]);
}

/**
 * @param next - command for the events of apps
 * @throws {@link CliError} `USAGE` for an event type of an app, and for an unknown one, with the closest known one
 */
export function readTenantEventType(given: string, next: string): EventType {
  if (isEventType(given)) return given;
  if (!isAppEventType(given)) throw unknownType(given, ALL_EVENT_TYPES);
  throw new CliError('USAGE', `${given} is an event type of an app; this command has those of tenants`, { next });
}

/**
 * @param next - command for the events of tenants
 * @throws {@link CliError} `USAGE` for an event type of tenants, and for an unknown one, with the closest known one
 */
export function readAppEventType(given: string, next: string): AppEventType {
  if (isAppEventType(given)) return given;
  if (!isEventType(given)) throw unknownType(given, ALL_APP_EVENT_TYPES);
  throw new CliError('USAGE', `${given} is an event type of tenants; this command has those of an app`, { next });
}

function unknownType(given: string, known: readonly AnyEventType[]): CliError {
  const closest = closestWord(given, known);
  return new CliError('USAGE', `${given} is not an event type`, {
    hint: closest && `Did you mean ${closest}?`,
    next: 'List them: plat trigger --list',
  });
}
