import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES, ALL_SCOPES, ERROR_CODES, OPERATION_NAMES } from '@plat/contract';
import { EXPLAINED } from '../errors/explained.ts';

/** Accepted values of an option or argument. */
export interface Values {
  readonly words: readonly string[];
  /** False for lists that the API extends and validates itself. */
  readonly closed: boolean;
  /** True if several values may be given, separated by commas. */
  readonly list: boolean;
}

/**
 * Returns the values of an option or argument; null for any text.
 * @param placeholder - placeholder of the value in the help: `type,…`
 */
export function valuesOf(placeholder: string, choices: readonly string[] | undefined): Values | null {
  const list = placeholder.endsWith(',…');
  if (choices) return { words: choices, closed: true, list };
  const words = OPEN[placeholder.replace(/,…$/, '')];
  return words ? { words, closed: false, list } : null;
}

/** Placeholder → values known to this version. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  type: ALL_EVENT_TYPES,
  event_type: [...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES],
  app_event_type: ALL_APP_EVENT_TYPES,
  scope: ALL_SCOPES,
  code: Object.keys(ERROR_CODES),
  operation: OPERATION_NAMES,
  topic: EXPLAINED,
};
