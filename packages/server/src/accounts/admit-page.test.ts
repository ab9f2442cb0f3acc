import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { afterAll, expect, test } from 'vitest';
import { createAdmission } from '../auth/admission.ts';
import { errorHandler } from '../http/error-handler.ts';
import { admitPages } from './admit-page.ts';

const admission = createAdmission({ slots: 4, waitingOfShare: 1, waiting: 4 });
/** Handlers that wait, by the tenant of the page. */
const held: (() => void)[] = [];
const begun: string[] = [];
const signIn: RequestHandler = (req, _res, next) => {
  const tenantId = req.get('x-tenant');
  if (tenantId !== undefined) req.account = { tenantId } as NonNullable<typeof req.account>;
  next();
};
const app = express().use(
  signIn,
  admitPages(admission)(async ({ account }, res) => {
    begun.push(account?.tenantId ?? 'visitor');
    await new Promise<void>((resolve) => held.push(resolve));
    res.end();
  }),
  errorHandler,
);
const server = createServer(app).listen(0, '127.0.0.1');
afterAll(() => void server.close());

const get = (tenant?: string) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    headers: tenant === undefined ? {} : { 'x-tenant': tenant },
  });

test('pages wait in the share of their tenant or of visitors, and a full queue of visitors refuses the next one', async () => {
  const visits = [get(), get(), get()];
  await expect.poll(() => begun).toEqual(['visitor', 'visitor', 'visitor']);
  const page = get('tnt_a');
  await expect.poll(() => begun).toHaveLength(4);
  expect(begun.at(-1)).toBe('tnt_a');

  const waiting = get();
  await expect.poll(() => admission.refuses('visitors')).toBe(true);
  const refused = await get();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(admission.refuses('pages of tnt_a')).toBe(false);

  for (let ended = 0; ended < 5; ended++) {
    await expect.poll(() => held.length).toBeGreaterThan(ended);
    held[ended]?.();
  }
  const answers = await Promise.all([...visits, page, waiting]);
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
});
