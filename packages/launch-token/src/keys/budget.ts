/** A number of tries that refills over time. */
export interface Budget {
  /** Takes one try. Returns false if none is left. */
  take(now: number): boolean;
}

/** @param now start time, with a full budget; in milliseconds, as all times here */
export function createBudget(capacity: number, refillMs: number, now: number): Budget {
  let left = capacity;
  let filledAt = now;
  return {
    take(now) {
      // After a clock was set back, the interval starts again. Otherwise the budget would stop until the old time is
      // reached.
      if (now < filledAt) filledAt = now;
      const refills = Math.floor((now - filledAt) / refillMs);
      left = Math.min(capacity, left + refills);
      filledAt = left === capacity ? now : filledAt + refills * refillMs;
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}
