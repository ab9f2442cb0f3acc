import { parseArgs } from 'node:util';

/** What a bench was told on its command line. */
export interface Options {
  /** Few, short rounds and little data: to see that it works. Nothing is written to RESULTS.md. */
  readonly quick: boolean;
  readonly rounds: number;
}

/** Reads `--quick` and `--rounds <n>`. */
export function readOptions(defaults: { readonly rounds: number; readonly quickRounds: number }): Options {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } } });
  const rounds = Number(values.rounds ?? (values.quick ? defaults.quickRounds : defaults.rounds));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number, 1 or above');
  return { quick: values.quick, rounds };
}
