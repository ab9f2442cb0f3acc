import { expect, test, vi } from 'vitest';
import { newToken } from '../kernel/tokens.ts';
import { createAuthenticator } from './authenticator.ts';

test('a text that cannot be a credential is refused without a place in the queue', async () => {
  const run = vi.fn(() => Promise.resolve(null));
  const authenticator = createAuthenticator({
    db: {} as never,
    clock: Date.now,
    admission: { run, refuses: () => false } as never,
    keyUses: { note() {} },
    shares: { of: () => 'unknown', add() {}, remove() {} } as never,
    beginGrant: () => Promise.resolve(),
  });
  const send = (token: string) =>
    new Promise((done) => {
      const handler = authenticator.authenticate('bearer', { session: false }, (...answer: unknown[]) =>
        done(answer[1]),
      );
      handler({ headers: { authorization: `Bearer ${token}` }, socket: {} } as never, {} as never, done);
    });
  for (const text of ['plat_test_malformed', newToken('plat_inv_'), `${newToken('plat_live_')}0`]) {
    expect(await send(text)).toBe(false);
  }
  expect(run).not.toHaveBeenCalled();
  expect(await send(newToken('plat_at_'))).toBe(false);
  expect(run).toHaveBeenCalledOnce();
});
