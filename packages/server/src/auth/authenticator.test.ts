import type { Request } from 'express';
import { expect, test, vi } from 'vitest';
import { newToken } from '../kernel/tokens.ts';
import { type Authenticator, bearerAuthenticator, createAuthenticator } from './authenticator.ts';
import type { Caller } from './credential.ts';
import { createKnownShares } from './shares.ts';

/** Resolves to the caller that the strategy finds, or to false. */
function send(authenticator: Authenticator, token: string, socket: object = {}): Promise<unknown> {
  return new Promise((done) => {
    const handler = authenticator.authenticate('bearer', { session: false }, (...answer: unknown[]) => done(answer[1]));
    handler({ headers: { authorization: `Bearer ${token}` }, socket } as Request, {} as never, done);
  });
}

test('a text that cannot be a credential is refused without a place in the queue', async () => {
  const run = vi.fn(() => Promise.resolve(null));
  const authenticator = createAuthenticator({
    db: {} as never,
    clock: Date.now,
    admission: { run, refuses: () => false } as never,
    keyUses: { note() {} },
    shares: createKnownShares(),
    beginGrant: () => Promise.resolve(),
  });
  for (const text of ['plat_test_malformed', newToken('plat_inv_'), `${newToken('plat_live_')}0`]) {
    expect(await send(authenticator, text)).toBe(false);
  }
  expect(run).not.toHaveBeenCalled();
  expect(await send(authenticator, newToken('plat_at_'))).toBe(false);
  expect(run).toHaveBeenCalledOnce();
});

test('a look-up is work of the tenant that the credential belonged to last, while its client waits', async () => {
  const found: (Caller | null)[] = [{ tenantId: 'tnt_1' } as Caller, null, null];
  const run = vi.fn((_share: string, work: () => Promise<unknown>, _call?: { isWanted(): boolean }) => work());
  const services = { admission: { run, refuses: () => false } as never, shares: createKnownShares() };
  const authenticator = bearerAuthenticator(services, ['plat_at_'], async () => found.shift() ?? null);
  const token = newToken('plat_at_');
  const socket = { destroyed: false };
  while (found.length > 0) await send(authenticator, token, socket);
  expect(run.mock.calls.map(([share]) => share)).toEqual(['unknown tokens', 'tnt_1', 'unknown tokens']);
  const isWanted = () => run.mock.lastCall?.[2]?.isWanted();
  expect(isWanted()).toBe(true);
  socket.destroyed = true;
  expect(isWanted()).toBe(false);
});
