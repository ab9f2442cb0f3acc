import { ID_DIGITS, isId } from '@plat/contract';
import { expect, test } from 'vitest';
import { lowestIdAt, newId, shardOf } from './ids.ts';

test('an id has its prefix and the form of the contract', () => {
  for (let i = 0; i < 1000; i++) expect(isId('client', newId('client'))).toBe(true);
});

test('ids of one millisecond sort in the order of their creation, and never repeat', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('event', 1_700_000_000_000));
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

// The outbox accepts an id behind the last one only if they have the same first half.
test('ids of one millisecond have the same first half', () => {
  for (let at = 1_700_000_000_000; at < 1_700_000_000_020; at++) {
    const halves = Array.from({ length: 20_000 }, () => newId('event', at).slice(0, -8));
    expect(new Set(halves).size).toBe(1);
  }
});

test('the next id of a millisecond does not follow from the last one', () => {
  const ids = Array.from({ length: 100 }, () => newId('event', 1_700_000_000_000));
  const digits = ids.map((id) => ID_DIGITS.indexOf(id.slice(-1)));
  const steps = new Set(digits.map((digit, i) => (digit - (digits[i - 1] ?? 0) + 32) % 32));
  expect(steps.size).toBeGreaterThan(10);
});

test('ids of other kinds do not disturb that order', () => {
  const ids = Array.from({ length: 100 }, (_, i) => {
    newId('request', i);
    return newId('audit_event', 1_700_000_000_000);
  });
  expect(ids).toEqual([...ids].sort());
});

test('an id of a later millisecond sorts behind', () => {
  const early = newId('event', 1_700_000_000_000);
  expect(newId('event', 1_700_000_000_001) > early).toBe(true);
});

test('the lowest id of a time is below every id of that time and above every earlier id', () => {
  const at = 1_700_000_000_000;
  expect(lowestIdAt('event', at) <= newId('event', at)).toBe(true);
  expect(lowestIdAt('event', at) > newId('event', at - 1)).toBe(true);
  expect(isId('event', lowestIdAt('event', at))).toBe(true);
});

test('shards are spread over the whole range', () => {
  const shards = new Set(Array.from({ length: 5000 }, (_, i) => shardOf(newId('webhook_endpoint', i), 64)));
  expect(shards.size).toBe(64);
});
