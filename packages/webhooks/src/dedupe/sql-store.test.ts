import { expect, test } from 'vitest';
import { createDedupe, createSqlStore } from './index.ts';

test('only whole milliseconds are stored: PostgreSQL refuses a fraction in a BIGINT', async () => {
  const numbers: number[] = [];
  const query = (sql: string, values: readonly (string | number)[]) => {
    numbers.push(...values.filter((value) => typeof value === 'number'));
    return sql.startsWith('SELECT') ? [{ token: values[0], completed: 0 }] : { rowCount: 1 };
  };
  const store = createSqlStore({ query, dialect: 'postgresql', now: () => 1_000.5 });
  const dedupe = createDedupe({ store, leaseSeconds: 1 / 3, ttlSeconds: 2 / 3 });
  await dedupe.claim({ id: 'evt_1' });
  await dedupe.complete({ outcome: 'claimed', key: 'evt_1', token: 'mine' });
  expect(numbers).toEqual([1_334, 1_000, 1_667]);
});

test.each([1, 1n, '1', true])('a driver may return %s for a handled event', async (completed) => {
  const query = (sql: string) => (sql.startsWith('SELECT') ? [{ token: 'of another', completed }] : { changes: 0 });
  const store = createSqlStore({ query, dialect: 'sqlite' });
  expect((await createDedupe({ store }).claim({ id: 'evt_1' })).outcome).toBe('completed');
});
