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
