import type { ErrorCode } from '@plat/contract';
import { expect, test } from 'vitest';
import type { AnyRoute } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';
import { ROUTES } from '../resources/index.ts';
import { checkRoute } from './check-route.ts';

const call = (name: AnyRoute['name'], read: () => Promise<unknown>): Promise<unknown> => {
  const route = ROUTES.find((one) => one.name === name);
  if (!route) throw new Error(`there is no route ${name}`);
  return checkRoute({ ...route, read }).read({} as never, {} as never);
};
const refusal = (code: ErrorCode) => () => Promise.reject(new ApiError(code, 'refused'));

test('a response that matches its schema passes', async () => {
  const page = { data: [], hasMore: false };
  expect(await call('clients.list', async () => page)).toBe(page);
});

test('a response outside its schema is an internal error, also within a list', async () => {
  await expect(call('clients.get', async () => ({}))).rejects.toThrow(/^the response of clients\.get does not match/);
  const page = { data: [{}], hasMore: false };
  await expect(call('clients.list', async () => page)).rejects.toThrow(/^the response of clients\.list does not match/);
});

test('an error code that the route declares passes; another one is an internal error', async () => {
  await expect(call('clients.get', refusal('CLIENT_NOT_FOUND'))).rejects.toThrow('refused');
  await expect(call('clients.get', refusal('APP_LIMIT'))).rejects.toThrow(
    'clients.get does not declare the error code APP_LIMIT',
  );
});
