import type { Race } from './rounds.ts';

/** A median with the lowest and the highest it is the median of. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = Number.isInteger(middle) ? (sorted[middle - 1] ?? Number.NaN) : upper;
  return { median: (lower + upper) / 2, low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN };
}

/** The value below which that share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** One figure of a contestant over all rounds. */
export function figures<S>(race: Race<S>, name: string, figure: (sample: S) => number): readonly number[] {
  const samples = race.get(name);
  if (!samples) throw new Error(`nobody called ${name} is in the race`);
  return samples.map(figure);
}

/**
 * How many times the figure of one contestant that of another is: formed in each round, and then the median. Slow
 * minutes of the machine fall on both sides of a round, and out of its ratio.
 */
export function ratio<S>(race: Race<S>, name: string, to: string, figure: (sample: S) => number): Spread {
  const theirs = figures(race, to, figure);
  return spread(figures(race, name, figure).map((value, round) => value / (theirs[round] ?? Number.NaN)));
}
