import { ALL_EVENT_TYPES, type EventType, isEventType } from '@plat/contract';
import { CliError } from '../cli-error.ts';

/** @throws {@link CliError} `USAGE` unless it is an event type of this version; it names the one that is most like it */
export function readEventType(given: string): EventType {
  if (isEventType(given)) return given;
  const [closest] = ALL_EVENT_TYPES.map((type) => [type, distance(given, type)] as const)
    .filter(([type, edits]) => edits <= type.length / 2)
    .sort(([, a], [, b]) => a - b);
  throw new CliError('USAGE', `${given} is no event type`, {
    hint: closest ? `Did you mean ${closest[0]}?` : undefined,
    next: 'See which there are: plat trigger --list',
  });
}

/** How many characters have to be put in, taken out or replaced (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
