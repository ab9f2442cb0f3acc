/** A number of tries that fills up again with time. */
export interface Budget {
  /** Takes one try, if there is one. */
  take(now: number): boolean;
}

/** @param now when it begins, full; milliseconds, as all times here */
export function createBudget(capacity: number, refillMs: number, now: number): Budget {
  let left = capacity;
  let filledAt = now;
  return {
    take(now) {
      // A clock that was set back begins anew, rather than to stop the budget for as long.
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
