import { describe, expect, it } from 'vitest';
import { afterFailure, type EndpointState, FAILURES_TO_PAUSE, HEALTHY } from './circuit.ts';

/** After so many failures, one a second, each taking 100 ms. */
function afterFailures(count: number): EndpointState {
  let state = HEALTHY;
  for (let i = 0; i < count; i++) state = afterFailure(state, { attemptedAt: i * 1000, endedAt: i * 1000 + 100 });
  return state;
}

describe('the state of an endpoint', () => {
  it('counts failures from the first one on, and has no pause before the twentieth', () => {
    expect(FAILURES_TO_PAUSE).toBe(20);
    expect(afterFailures(19)).toEqual({ ...HEALTHY, consecutive_failures: 19, failing_since: 0 });
    expect(afterFailures(20)).toEqual({
      ...HEALTHY,
      consecutive_failures: 20,
      failing_since: 0,
      pauses: 1,
      paused_until: 19_100 + 30_000,
    });
  });

  it('has pauses of 30 s and twice as long each time, up to 15 minutes', () => {
    let state = afterFailures(20);
    const lengths: number[] = [];
    for (let i = 0; i < 7; i++) {
      const endedAt = state.paused_until ?? 0;
      state = afterFailure(state, { attemptedAt: endedAt, endedAt });
      lengths.push(((state.paused_until ?? 0) - endedAt) / 1000);
    }
    expect(lengths).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  it('has no longer pause for attempts that were under way when it began', () => {
    const paused = afterFailures(20);
    const late = afterFailure(paused, { attemptedAt: 18_000, endedAt: 28_000 });
    expect(late).toEqual({ ...paused, consecutive_failures: 21 });
  });

  it('has a longer pause for one that was tried a moment early by another clock', () => {
    const paused = afterFailures(20);
    const attemptedAt = (paused.paused_until ?? 0) - 50;
    expect(afterFailure(paused, { attemptedAt, endedAt: attemptedAt }).pauses).toBe(2);
  });
});
