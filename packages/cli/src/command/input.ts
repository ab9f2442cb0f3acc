import { CliError } from '../errors/cli-error.ts';
import type { Field, Fields } from './field.ts';
import { toKebab } from './kebab.ts';
import { readPastTime } from './past-time.ts';

/** Converts the text of an option to the value for the request. */
export function readValue(name: string, field: Field, given: string): unknown {
  switch (field.kind) {
    case 'text':
      return given;
    case 'texts':
      return given
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    case 'time':
      return new Date(readPastTime(`--${toKebab(name)}`, given, Date.now())).toISOString();
    case 'integer':
      return readInteger(`--${toKebab(name)}`, given, field.placeholder);
    case 'flag':
      // A flag has no text.
      return true;
  }
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/**
 * @param placeholder - placeholder of the value in the help, which may be its unit
 * @throws {@link CliError} `USAGE` unless it is a whole number, 0 or above
 */
export function readInteger(option: string, given: string, placeholder = 'n'): number {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  const unit = placeholder === 'seconds' ? ' of seconds' : '';
  throw new CliError('USAGE', `${option} takes a whole number${unit}, not "${given}"`);
}

/**
 * Builds the query or body from the options of a command. `--no-<name>` (false) sends null, unless the field is a
 * flag.
 * @throws {@link CliError} `USAGE` for an update without any field
 */
export function readInput(
  operation: string,
  fields: Fields,
  option: (name: string) => unknown,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = option(name);
    if (value === undefined) continue;
    input[name] = value === false && field.nullable ? null : value;
  }
  if (operation.endsWith('.update') && Object.keys(input).length === 0) {
    throw new CliError('USAGE', 'Pass at least one field to change');
  }
  return input;
}
