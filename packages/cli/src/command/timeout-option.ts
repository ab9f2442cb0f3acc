import type { Command } from 'commander';
import { readInteger } from './input.ts';

/** Adds `--timeout`, in whole seconds. */
export function addTimeoutOption(command: Command, what: string, absent: number | string): Command {
  return command.option('--timeout <seconds>', `${what}; ${absent} when absent`, (given) =>
    readInteger('--timeout', given, 'seconds'),
  );
}
