import { describe, expect, it } from 'vitest';
import { afterFailure, type Circuit, CLOSED_CIRCUIT, FAILURES_TO_OPEN } from './circuit.ts';

/** The circuit after `count` failures, one each second, each taking 100 ms. */
function afterFailures(count: number): Circuit {
  let circuit = CLOSED_CIRCUIT;
  for (let i = 0; i < count; i++) circuit = afterFailure(circuit, { attemptedAt: i * 1000, endedAt: i * 1000 + 100 });
  return circuit;
}

describe('the circuit of an endpoint', () => {
  it('counts failures, and opens with the twentieth', () => {
    expect(FAILURES_TO_OPEN).toBe(20);
    expect(afterFailures(19)).toEqual({ ...CLOSED_CIRCUIT, consecutive_failures: 19, failing_since: 0 });
    expect(afterFailures(20)).toEqual({
      ...CLOSED_CIRCUIT,
      consecutive_failures: 20,
      failing_since: 0,
      pauses: 1,
      paused_until: 19_100 + 30_000,
    });
  });

  it('opens for 30 s, and twice as long each time, up to 15 minutes', () => {
    let circuit = afterFailures(20);
    const lengths: number[] = [];
    for (let i = 0; i < 7; i++) {
      const endedAt = circuit.paused_until ?? 0;
      circuit = afterFailure(circuit, { attemptedAt: endedAt, endedAt });
      lengths.push(((circuit.paused_until ?? 0) - endedAt) / 1000);
    }
    expect(lengths).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  it('does not stay open longer for attempts that were in flight when it opened', () => {
    const paused = afterFailures(20);
    const late = afterFailure(paused, { attemptedAt: 18_000, endedAt: 28_000 });
    expect(late).toEqual({ ...paused, consecutive_failures: 21 });
  });

  it('stays open longer after an attempt that another clock started a moment early', () => {
    const paused = afterFailures(20);
    const attemptedAt = (paused.paused_until ?? 0) - 50;
    expect(afterFailure(paused, { attemptedAt, endedAt: attemptedAt }).pauses).toBe(2);
  });
});
