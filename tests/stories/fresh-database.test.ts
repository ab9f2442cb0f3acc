import { afterAll, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';

const database = await freshDatabase();
const other = await freshDatabase();
afterAll(async () => {
  await database.drop();
  await other.drop();
});

it('freshDatabase creates a separate database for each call', () => {
  expect(database.url).not.toBe(other.url);
  expect(database.kind).toBe(other.kind);
});
