import { ALL_EVENT_TYPES, ALL_SCOPES, ERROR_CODES } from '@plat/contract';
import { OPERATION_NAMES } from '../command/words.ts';

/** What an option or argument takes. */
export interface Values {
  readonly words: readonly string[];
  /** Whether it takes these only. The API's own lists grow, and it checks them itself. */
  readonly closed: boolean;
  /** Whether several may be given, separated by commas. */
  readonly list: boolean;
}

/**
 * The values of an option or argument; null where anything goes.
 * @param placeholder - what stands for the value in the help: `type,…`
 */
export function valuesOf(placeholder: string, choices: readonly string[] | undefined): Values | null {
  const list = placeholder.endsWith(',…');
  if (choices) return { words: choices, closed: true, list };
  const words = OPEN[placeholder.replace(/,…$/, '')];
  return words ? { words, closed: false, list } : null;
}

/** Placeholder → the values that this version knows. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  type: ALL_EVENT_TYPES,
  event_type: ALL_EVENT_TYPES,
  scope: ALL_SCOPES,
  code: Object.keys(ERROR_CODES),
  operation: OPERATION_NAMES,
};
