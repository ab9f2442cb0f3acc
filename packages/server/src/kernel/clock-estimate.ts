/** Maximum drift between two clocks, in ms per ms. */
const MAX_DRIFT = 0.0005;
/** The database's time is in whole ms. */
const RESOLUTION_MS = 1;

interface Sample {
  /** The other clock minus the monotonic clock of this process, in ms. */
  readonly offset: number;
  /** Half of the round trip, in ms: the sample is at most that wrong. */
  readonly error: number;
  /** Monotonic time of the sample, in ms. */
  readonly at: number;
}

/**
 * Estimates another clock from queries of its time. The response of a query may be read late, when this process or the
 * database is busy. A sample with a longer round trip is therefore ignored while an earlier one is more precise (as in
 * NTP, RFC 5905).
 */
export class ClockEstimate {
  #best: Sample | undefined;

  /**
   * @param time the other clock's time, in ms
   * @param before monotonic time before the query, in ms
   * @param after monotonic time after the response, in ms
   */
  add(time: number, before: number, after: number): void {
    const sample = { offset: time - (before + after) / 2, error: (after - before) / 2, at: after };
    if (!this.#best || isBetter(sample, this.#best)) this.#best = sample;
  }

  /** Returns the other clock's time at a monotonic time, in ms; undefined before the first sample. */
  at(monotonicMs: number): number | undefined {
    return this.#best && Math.round(monotonicMs + this.#best.offset);
  }
}

function isBetter(sample: Sample, best: Sample): boolean {
  const bestError = best.error + (sample.at - best.at) * MAX_DRIFT;
  // Samples that contradict each other: one of the clocks was set.
  const wasSet = Math.abs(sample.offset - best.offset) > sample.error + bestError + RESOLUTION_MS;
  return wasSet || sample.error <= bestError;
}
