import { parseArgs } from 'node:util';

/** Command line options of a bench. */
export interface Options {
  /** Few, short rounds and little data, to see that it works. Nothing is written to RESULTS.md. */
  readonly quick: boolean;
  readonly rounds: number;
  /** The one part to measure, of a bench with parts. */
  readonly only: string | undefined;
  /** Duration of long measurements. */
  readonly minutes: number | undefined;
}

/** Reads `--quick`, `--rounds <n>`, `--only <part>` and `--minutes <n>`. */
export function readOptions(defaults: { readonly rounds: number; readonly quickRounds: number }): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      only: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) throw new Error('--minutes must be a number above 0');
  const rounds = Number(values.rounds ?? (values.quick ? defaults.quickRounds : defaults.rounds));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number, 1 or above');
  return { quick: values.quick, rounds, only: values.only, minutes };
}
