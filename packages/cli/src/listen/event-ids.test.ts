import { isId, timeOfId } from '@plat/contract';
import { expect, it } from 'vitest';
import { lowestEventId } from './event-ids.ts';

const NOW = Date.UTC(2026, 10, 21, 4, 58, 22, 994);

it('reads the time of an id of the service', () => {
  expect(timeOfId('evt_01m7y7ghcj44xhgssqwvp6r09m')).toBe(Date.parse('2026-11-21T04:58:22.994Z'));
});

it('returns bounds that are valid ids and sort by time', () => {
  const bounds = [0, 1, 31, 32, NOW, NOW + 1].map(lowestEventId);
  expect(bounds.every((id) => isId('event', id))).toBe(true);
  expect(bounds.toSorted()).toEqual(bounds);
  expect(bounds.map(timeOfId)).toEqual([0, 1, 31, 32, NOW, NOW + 1]);
  expect(lowestEventId(-5)).toBe(lowestEventId(0));
});
