import { OPERATIONS } from '@plat/contract';
import { expect, test } from 'vitest';
import { ROUTES } from './index.ts';

test('every operation of the contract has exactly one route', () => {
  expect(ROUTES.map(({ name }) => name).sort()).toEqual(Object.keys(OPERATIONS).sort());
});

test('only writes accept a body', () => {
  for (const { name, operation, body } of ROUTES) {
    if (operation.method === 'GET' || operation.method === 'DELETE') expect([name, body]).toEqual([name, null]);
  }
});
