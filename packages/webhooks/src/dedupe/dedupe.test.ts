import { expect, test } from 'vitest';
import { WebhookConfigurationError } from '../errors.ts';
import { createDedupe, createMemoryStore } from './index.ts';

const HOUR = 3_600_000;

/** Creates a dedupe helper over a memory store, with one clock for both. */
function build(options: { maxEntries?: number; leaseSeconds?: number; ttlSeconds?: number } = {}) {
  const clock = { at: 0 };
  const store = createMemoryStore({ maxEntries: options.maxEntries, now: () => clock.at });
  const { leaseSeconds, ttlSeconds } = options;
  return { clock, store, dedupe: createDedupe({ store, leaseSeconds, ttlSeconds }) };
}

const event = { id: 'evt_1' };
const other = { id: 'evt_2' };

test('an event is claimed once, in progress until it is completed, and a duplicate for 72 hours', async () => {
  const { clock, dedupe } = build();
  const claim = await dedupe.claim(event);
  expect(claim.outcome).toBe('claimed');
  expect((await dedupe.claim(event)).outcome).toBe('in_progress');
  expect((await dedupe.claim(other)).outcome).toBe('claimed');
  expect(await dedupe.complete(claim)).toBe(true);
  expect((await dedupe.claim(event)).outcome).toBe('completed');
  clock.at = 72 * HOUR - 1;
  expect((await dedupe.claim(event)).outcome).toBe('completed');
  clock.at = 72 * HOUR;
  expect((await dedupe.claim(event)).outcome).toBe('claimed');
});

test('exactly one of many concurrent claims wins', async () => {
  const { dedupe } = build();
  const claims = await Promise.all(Array.from({ length: 50 }, () => dedupe.claim(event)));
  expect(claims.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
});

test('a released event can be claimed again at once', async () => {
  const { dedupe } = build();
  expect(await dedupe.release(await dedupe.claim(event))).toBe(true);
  expect((await dedupe.claim(event)).outcome).toBe('claimed');
});

test('a claim left behind by a crash ends with its lease', async () => {
  const { clock, dedupe } = build({ leaseSeconds: 60 });
  await dedupe.claim(event);
  clock.at = 59_999;
  expect((await dedupe.claim(event)).outcome).toBe('in_progress');
  clock.at = 60_000;
  expect((await dedupe.claim(event)).outcome).toBe('claimed');
});

test('a handler that lost its lease to another can neither complete nor release the claim', async () => {
  const { clock, dedupe } = build({ leaseSeconds: 60 });
  const slow = await dedupe.claim(event);
  clock.at = 60_000;
  const next = await dedupe.claim(event);
  expect(await dedupe.complete(slow)).toBe(false);
  expect(await dedupe.release(slow)).toBe(false);
  expect((await dedupe.claim(event)).outcome).toBe('in_progress');
  expect(await dedupe.complete(next)).toBe(true);
});

test('a handler that outlived its lease can complete if no other handler took over', async () => {
  const { clock, dedupe } = build({ leaseSeconds: 60 });
  const slow = await dedupe.claim(event);
  clock.at = 90_000;
  expect(await dedupe.complete(slow)).toBe(true);
  expect((await dedupe.claim(event)).outcome).toBe('completed');
});

test('a claim that was not won cannot be completed or released', async () => {
  const { dedupe } = build();
  await dedupe.claim(event);
  const lost = await dedupe.claim(event);
  expect(await dedupe.complete(lost)).toBe(false);
  expect(await dedupe.release(lost)).toBe(false);
});

test('namespaces separate two endpoints that share a store', async () => {
  const { store } = build();
  const [first, second] = [createDedupe({ store, namespace: 'a:' }), createDedupe({ store, namespace: 'b:' })];
  expect((await first.claim(event)).outcome).toBe('claimed');
  expect((await second.claim(event)).outcome).toBe('claimed');
});

test('a full store drops the oldest handled event, and never a running claim', async () => {
  const { clock, dedupe } = build({ maxEntries: 2, leaseSeconds: 60 });
  await dedupe.complete(await dedupe.claim({ id: 'evt_a' }));
  await dedupe.complete(await dedupe.claim({ id: 'evt_b' }));
  expect((await dedupe.claim({ id: 'evt_c' })).outcome).toBe('claimed');
  expect((await dedupe.claim({ id: 'evt_b' })).outcome).toBe('completed');
  expect((await dedupe.claim({ id: 'evt_a' })).outcome).toBe('claimed');
  expect((await dedupe.claim({ id: 'evt_d' })).outcome).toBe('in_progress');
  expect((await dedupe.claim({ id: 'evt_c' })).outcome).toBe('in_progress');
  clock.at = 60_000;
  expect((await dedupe.claim({ id: 'evt_d' })).outcome).toBe('claimed');
});

test('a store of one entry remembers the last event', async () => {
  const { dedupe } = build({ maxEntries: 1 });
  for (const each of [event, other]) await dedupe.complete(await dedupe.claim(each));
  expect((await dedupe.claim(other)).outcome).toBe('completed');
});

test('an entry behind one that lives longer still expires at its own time', async () => {
  const { clock, store } = build();
  for (const [key, ttlSeconds] of [
    ['long', 100],
    ['short', 10],
  ] as const) {
    await store.claim({ key, token: 't', leaseSeconds: 1 });
    await store.complete({ key, token: 't', ttlSeconds });
  }
  clock.at = 10_000;
  expect(await store.claim({ key: 'short', token: 'u', leaseSeconds: 1 })).toBe('claimed');
  expect(await store.claim({ key: 'long', token: 'u', leaseSeconds: 1 })).toBe('completed');
});

test('a store that lacks a method is refused', () => {
  const store = { ...createMemoryStore(), release: undefined };
  expect(() => Reflect.apply(createDedupe, undefined, [{ store }])).toThrow(WebhookConfigurationError);
});

test('invalid times and sizes are refused', () => {
  for (const ttlSeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => createDedupe({ ttlSeconds })).toThrow(WebhookConfigurationError);
    expect(() => createDedupe({ leaseSeconds: ttlSeconds })).toThrow(WebhookConfigurationError);
  }
  for (const maxEntries of [0, 1.5, Number.NaN]) {
    expect(() => createMemoryStore({ maxEntries })).toThrow(WebhookConfigurationError);
  }
});

test('a forgotten event is handled again at its replay; an unknown or running event is not changed', async () => {
  const { clock, dedupe } = build({ ttlSeconds: 100 });
  const id = 'evt_replayed';
  expect(await dedupe.forget(id)).toBe(false);
  const claim = await dedupe.claim({ id });
  expect(await dedupe.forget(id)).toBe(false);
  expect((await dedupe.claim({ id })).outcome).toBe('in_progress');
  await dedupe.complete(claim);
  expect((await dedupe.claim({ id })).outcome).toBe('completed');
  expect(await dedupe.forget(id)).toBe(true);
  expect(await dedupe.forget(id)).toBe(false);
  const again = await dedupe.claim({ id });
  expect(again.outcome).toBe('claimed');
  await dedupe.complete(again);
  clock.at += 100_000;
  expect(await dedupe.forget(id)).toBe(false);
});

test('forget applies only to its namespace', async () => {
  const { store } = build();
  const [first, second] = [createDedupe({ store, namespace: 'a:' }), createDedupe({ store, namespace: 'b:' })];
  for (const each of [first, second]) await each.complete(await each.claim(event));
  expect(await first.forget(event.id)).toBe(true);
  expect((await second.claim(event)).outcome).toBe('completed');
});
