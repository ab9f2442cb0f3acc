import type { Race } from './rounds.ts';

/** A median with its minimum and maximum. */
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

/** Returns the value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** One figure of a contestant over all rounds. */
export function figures<S>(race: Race<S>, name: string, figure: (sample: S) => number): readonly number[] {
  const samples = race.get(name);
  if (!samples) throw new Error(`no contestant is called ${name}`);
  return samples.map(figure);
}

/**
 * Returns the ratio of one contestant's figure to another's: the median of the ratios of all rounds. A slow minute of
 * the machine affects both sides of a round, so it does not affect the ratio.
 */
export function ratio<S>(race: Race<S>, name: string, to: string, figure: (sample: S) => number): Spread {
  const theirs = figures(race, to, figure);
  return spread(figures(race, name, figure).map((value, round) => value / (theirs[round] ?? Number.NaN)));
}
