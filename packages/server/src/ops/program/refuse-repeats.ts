import type { Command } from 'commander';

/** Makes each option with a value fail if it is given twice. The parser would use the last value, and ignore the first. */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (!option.required) continue;
    const first = { isGiven: false };
    command.on(`option:${option.name()}`, () => {
      if (first.isGiven) command.error(`error: option '${option.flags}' is given twice`);
      first.isGiven = true;
    });
  }
  for (const child of command.commands) refuseRepeats(child);
}
