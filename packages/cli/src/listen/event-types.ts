import { ALL_EVENT_TYPES, type EventType, isEventType } from '@plat/contract';
import { CliError } from '../cli-error.ts';

/** Which events are meant: by their types, or all. */
export type Wanted = ReadonlySet<string> | '*';

/**
 * Reads types of events as they were typed, `*` for all.
 * @throws {@link CliError} `USAGE` for a type that there is not
 */
export function readWanted(option: string, given: readonly string[]): Wanted {
  const types = given.flatMap((text) => text.split(',')).map((type) => type.trim());
  const named = types.filter((type) => type !== '' && type !== '*');
  for (const type of named) if (!isEventType(type)) throw unknownType(option, type);
  return named.length === 0 || types.includes('*') ? '*' : new Set(named);
}

/** The refusal of a type, with the one that is most like it. */
export function unknownType(option: string, given: string): CliError {
  const [closest] = ALL_EVENT_TYPES.map((type) => [type, distance(given, type)] as const)
    .filter(([type, edits]) => edits <= type.length / 2)
    .sort(([, a], [, b]) => a - b);
  return new CliError('USAGE', `${option}: there is no event type ${given}`, {
    hint: closest ? `Did you mean ${closest[0]}?` : undefined,
    next: `There are ${listed(ALL_EVENT_TYPES)}.`,
  });
}

function listed(types: readonly EventType[]): string {
  return types.join(', ');
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
