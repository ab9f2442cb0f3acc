import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWindowCounter } from '../auth/window-counter.ts';
import { ApiError } from '../kernel/api-error.ts';
import { errorHandler } from './error-handler.ts';
import { limitGuesses } from './limit-guesses.ts';

let now: number;
const lookUp = vi.fn<(credential: string) => boolean>();
let server: Server;
beforeEach(async () => {
  now = 10_700;
  lookUp.mockReset().mockImplementation((credential) => credential === 'Bearer right');
  const authenticate: RequestHandler = ({ headers: { authorization = '' } }, _res, next) =>
    next(lookUp(authorization) ? undefined : new ApiError('INVALID_TOKEN', 'Unknown key'));
  const clock = () => now;
  const failures = createWindowCounter({ points: 2, seconds: 1 }, clock);
  const app = express().use(
    ...limitGuesses(failures, clock, [authenticate]),
    (_req: Request, res: Response) => void res.end('found'),
    errorHandler,
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

const send = async (key: string): Promise<number> => (await responseTo(key)).status;

async function responseTo(key: string) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
  return response;
}

test('a network with too many refused credentials is refused until its window ends, which is not a whole second', async () => {
  expect(await send('right')).toBe(200);
  now = 11_400;
  for (const key of ['a', 'b']) expect(await send(key)).toBe(401);
  now = 11_900;
  expect(await send('c')).toBe(429);
  lookUp.mockClear();
  const { status, headers } = await responseTo('d');
  expect([status, headers.get('retry-after')]).toEqual([429, '1']);
  expect(lookUp).not.toHaveBeenCalled();
  // It has succeeded before.
  expect(await send('right')).toBe(200);
  expect(await send('new')).toBe(429);

  now = 12_399;
  expect(await send('new')).toBe(429);
  now = 12_400;
  expect(await send('new')).toBe(401);
});

test('a credential that is refused after it has succeeded is blocked like any other', async () => {
  expect(await send('right')).toBe(200);
  for (const key of ['a', 'b', 'c']) await send(key);
  lookUp.mockReturnValue(false);
  expect(await send('right')).toBe(429);
  lookUp.mockClear();
  expect(await send('right')).toBe(429);
  expect(lookUp).not.toHaveBeenCalled();
});
