import { expect, test } from 'vitest';
import { WebhookConfigurationError } from '../errors.ts';
import { claimsTableSql, createRedisStore, createSqlStore, handledTableSql, recordHandled } from './index.ts';

const query = () => [];

test.each<[string, () => unknown, string]>([
  ['a store without a query', () => Reflect.apply(createSqlStore, undefined, [{ dialect: 'mysql' }]), 'query must be'],
  [
    'an unknown dialect',
    () => Reflect.apply(createSqlStore, undefined, [{ query, dialect: 'oracle' }]),
    'dialect must be',
  ],
  [
    'a table name that needs quotes',
    () => createSqlStore({ query, dialect: 'mysql', table: 'a; DROP' }),
    'table must be',
  ],
  ['such a name in the statement', () => claimsTableSql('sqlite', 'a b'), 'table must be'],
  ['such a name in the other statement', () => handledTableSql('sqlite', 'a b'), 'table must be'],
  ['a Redis store without a command', () => Reflect.apply(createRedisStore, undefined, [{}]), 'command must be'],
])('%s is refused', (_, make, reason) => {
  expect(make).toThrow(WebhookConfigurationError);
  expect(make).toThrow(reason);
});

test('a query function that returns neither rows nor a count is reported, and so is an unknown option', async () => {
  const store = createSqlStore({ query: () => undefined, dialect: 'sqlite' });
  await expect(store.claim({ key: 'k', token: 't', leaseSeconds: 1 })).rejects.toThrow('no rows array');
  await expect(store.release({ key: 'k', token: 't' })).rejects.toThrow('the number of changed rows');
  const wrong = Reflect.apply(recordHandled, undefined, [{ id: 'evt_1' }, { query, dialect: 'mysql', tabel: 'x' }]);
  await expect(wrong).rejects.toThrow(WebhookConfigurationError);
});
