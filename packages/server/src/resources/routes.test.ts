import { OPERATIONS } from '@plat/contract';
import { expect, test } from 'vitest';
import { ROUTES } from './index.ts';

test('every operation of the contract has exactly one route', () => {
  expect(ROUTES.map(({ name }) => name).sort()).toEqual(Object.keys(OPERATIONS).sort());
});

test('a route that takes a body declares it, and one that takes none does not', () => {
  for (const { name, operation, body } of ROUTES) {
    expect([name, body !== null]).toEqual([name, operation.method === 'POST' || operation.method === 'PATCH']);
  }
});
