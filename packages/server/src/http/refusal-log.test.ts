import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefusalLog } from './refusal-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('refusals have one line a second with their number, and the first one has its line at once', () => {
  const lines: unknown[] = [];
  const { add } = createRefusalLog((line) => void lines.push(line));
  const lineOf = (req_id: string, refused: number) => ({ req_id, share: 'busy', refused });
  add({ req_id: 'req_1', share: 'busy' });
  expect(lines).toEqual([lineOf('req_1', 1)]);
  for (const req_id of ['req_2', 'req_3', 'req_4']) add({ req_id, share: 'busy' });
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(1)).toEqual([lineOf('req_4', 3)]);
  vi.advanceTimersByTime(5_000);
  expect(lines).toHaveLength(2);
  add({ req_id: 'req_5', share: 'busy' });
  expect(lines.slice(2)).toEqual([lineOf('req_5', 1)]);
});
