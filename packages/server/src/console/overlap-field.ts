import type { Html } from '../http/html.ts';
import { refusal } from '../http/validate.ts';
import { radioField } from './forms.ts';

const NAME = 'expires_in';
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Choices for the time that a replaced secret or key stays valid, in seconds. */
const OVERLAPS: ReadonlyMap<number, string> = new Map([
  [HOUR, 'In an hour'],
  [DAY, 'In a day'],
  [7 * DAY, 'In 7 days'],
  [0, 'Now, because it may be exposed'],
]);

interface OverlapField {
  readonly label: string;
  readonly hint: string;
  /** Longest time that the API accepts, in seconds. */
  readonly max: number;
}

/** Builds the choice of the time for which a replaced secret or key stays valid. */
export function overlapField({ label, hint, max }: OverlapField): Html {
  const offered = [...OVERLAPS].filter(([seconds]) => seconds <= max);
  return radioField(
    { name: NAME, label, hint, problems: {} },
    offered.map(([seconds, words]) => ({ value: String(seconds), words, isChosen: seconds === DAY })),
  );
}

/**
 * Returns the chosen time, in seconds.
 * @param max longest time that the API accepts, in seconds
 * @throws {@link ApiError} INVALID_REQUEST
 */
export function postedOverlap(fields: Readonly<Record<string, string>>, max: number): number {
  const seconds = [...OVERLAPS.keys()].find((choice) => String(choice) === fields[NAME] && choice <= max);
  if (seconds !== undefined) return seconds;
  throw refusal('INVALID_REQUEST', [{ path: NAME, message: 'must be one of the choices' }]);
}
