import { expect, it } from 'vitest';
import { ClockEstimate } from './clock-estimate.ts';

const EPOCH = 1_795_000_000_000;

it('has no time before the first sample', () => {
  expect(new ClockEstimate().at(0)).toBeUndefined();
});

it('takes the middle of a round trip as the instant of the sample', () => {
  const clock = new ClockEstimate();
  clock.add(EPOCH, 100, 110);
  expect(clock.at(205)).toBe(EPOCH + 100);
});

it('ignores a response that was read late', () => {
  const clock = new ClockEstimate();
  clock.add(EPOCH, 0, 2);
  // The time was read at 1,001, the response at 1,301.
  clock.add(EPOCH + 1_000, 1_000, 1_301);
  expect(clock.at(2_001)).toBe(EPOCH + 2_000);
});

it('improves with a shorter round trip', () => {
  const clock = new ClockEstimate();
  clock.add(EPOCH, 0, 300);
  clock.add(EPOCH + 1_000, 1_000, 1_002);
  expect(clock.at(2_001)).toBe(EPOCH + 2_000);
});

it('follows clocks that drift apart, and one that was set', () => {
  const clock = new ClockEstimate();
  clock.add(EPOCH, 0, 2);
  clock.add(EPOCH + 3_600_030, 3_600_000, 3_600_010);
  expect(clock.at(3_600_005)).toBe(EPOCH + 3_600_030);
  clock.add(EPOCH + 9_000_000, 3_601_000, 3_601_100);
  expect(clock.at(3_601_050)).toBe(EPOCH + 9_000_000);
});
