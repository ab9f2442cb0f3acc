import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createDedupe, type DedupeStore } from './index.ts';

/** Creates the store of the README on SQLite, with the SQL statements of the README. */
async function storeOfReadme(clock: { at: number }): Promise<DedupeStore> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const block = /```sql\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const [create = '', insert = '', select = '', update = '', remove = '', forget = ''] = block
    .replaceAll(/^--.*$/gm, '')
    .split(';');
  const database = new DatabaseSync(':memory:');
  database.exec(create);
  return {
    claim({ key, token, leaseSeconds }) {
      database.prepare(insert).run({ key, token, until: clock.at + leaseSeconds * 1000, now: clock.at });
      const row = database.prepare(select).get({ key });
      if (row?.['token'] === token) return 'claimed';
      return row?.['completed'] === 1 ? 'completed' : 'in_progress';
    },
    complete: ({ key, token, ttlSeconds }) =>
      database.prepare(update).run({ key, token, until: clock.at + ttlSeconds * 1000 }).changes === 1,
    release: ({ key, token }) => database.prepare(remove).run({ key, token }).changes === 1,
    forget: ({ key }) => database.prepare(forget).run({ key }).changes === 1,
  };
}

test('the SQL of the README implements the contract of a store', async () => {
  const clock = { at: 1_000_000 };
  const dedupe = createDedupe({ store: await storeOfReadme(clock), leaseSeconds: 60, ttlSeconds: 100 });
  const outcome = async () => (await dedupe.claim({ id: 'evt_1' })).outcome;
  const first = await dedupe.claim({ id: 'evt_1' });
  expect(await outcome()).toBe('in_progress');
  expect(await dedupe.release(first)).toBe(true);
  const second = await dedupe.claim({ id: 'evt_1' });
  expect(second.outcome).toBe('claimed');
  clock.at += 60_000;
  const third = await dedupe.claim({ id: 'evt_1' });
  expect(third.outcome).toBe('claimed');
  expect(await dedupe.complete(second)).toBe(false);
  expect(await dedupe.release(second)).toBe(false);
  expect(await dedupe.complete(third)).toBe(true);
  expect(await dedupe.release(third)).toBe(false);
  expect(await outcome()).toBe('completed');
  expect(await dedupe.forget('evt_1')).toBe(true);
  const replayed = await dedupe.claim({ id: 'evt_1' });
  expect(await dedupe.forget('evt_1')).toBe(false);
  expect(await dedupe.complete(replayed)).toBe(true);
  expect(await outcome()).toBe('completed');
  clock.at += 99_999;
  expect(await outcome()).toBe('completed');
  clock.at += 1;
  expect(await outcome()).toBe('claimed');
});
