import type { Command } from 'commander';
import { CliError } from '../errors/cli-error.ts';

/**
 * Makes each option of a command that takes one value throw if it is given twice. The parser would silently use the last
 * value. Options that collect a list stay repeatable.
 */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (!option.required && !option.optional) continue;
    const first = { isGiven: false };
    // Called after the parser has stored the value.
    command.on(`option:${option.name()}`, () => {
      const isList = Array.isArray(command.getOptionValue(option.attributeName()));
      if (first.isGiven && !isList) {
        throw new CliError('USAGE', `${option.long ?? option.flags} is given twice`, { next: 'Give it once.' });
      }
      first.isGiven = true;
    });
  }
  for (const child of command.commands) refuseRepeats(child);
}
