import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { createKnownShares } from '../auth/shares.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken } from '../kernel/tokens.ts';
import { appAuthenticator, type SecretRow } from './authenticate-app.ts';
import type { OAuthServices } from './oauth-services.ts';

test('a look-up is work of the app whose secret was accepted last, and gets no malformed id', async () => {
  const id = newId('app');
  const app = { id, disabled_by: null, secret_hash: hashToken('right') } as SecretRow;
  const run = vi.fn((_share: string, work: () => Promise<unknown>) => work());
  const counter = () => ({ consume: async () => ({ retryAfter: null }) });
  const services = { clock: Date.now, rateLimit: { counter }, appRateLimit: {}, admission: { run } };
  const authenticate = appAuthenticator({ ...services, shares: createKnownShares() } as unknown as OAuthServices)(
    'token',
  );
  const find = vi.fn(async (given: string) => (given === id ? app : undefined));
  const call = (client_id: string, client_secret: string) =>
    authenticate({ headers: {} } as Request, { locals: {} } as Response, { client_id, client_secret }, find).catch(
      ({ code }) => code,
    );

  for (const secret of ['wrong', 'right']) await call(id, secret);
  await call(id, 'right');
  app.secret_hash = hashToken('next');
  expect([await call(id, 'right'), await call(id, 'right')]).toEqual(Array(2).fill('INVALID_CLIENT_SECRET'));
  const unknown = 'unknown apps';
  expect(run.mock.calls.map(([share]) => share)).toEqual([unknown, unknown, id, id, unknown]);
  expect(await call('app_döner', 'right')).toBe('INVALID_CLIENT_SECRET');
  expect(find.mock.lastCall).toEqual(['']);
});
