import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { createKnownShares } from '../auth/shares.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken } from '../kernel/tokens.ts';
import { appAuthenticator, type SecretRow } from './authenticate-app.ts';
import type { OAuthServices } from './oauth-services.ts';

const NOW = 1_000;

interface Parts {
  readonly app: SecretRow;
  readonly run?: (share: string, work: () => Promise<unknown>) => Promise<unknown>;
  readonly consume?: (counter: string, key: string) => void;
}

/** Returns a function that authenticates an app, and resolves to the code of a refusal. */
function authenticator({ app, run = (_, work) => work(), consume = () => undefined }: Parts) {
  const counter = (name: string) => ({
    async consume(key: string) {
      consume(name, key);
      return { retryAfter: null };
    },
  });
  const services = { clock: () => NOW, rateLimit: { counter }, appRateLimit: {}, admission: { run } };
  const authenticate = appAuthenticator({ ...services, shares: createKnownShares() } as unknown as OAuthServices)(
    'token',
  );
  const find = vi.fn(async (id: string) => (id === app.id ? app : undefined));
  const req = { headers: {}, ip: '2001:db8::7' } as Request;
  const call = async (client_id: string, client_secret: string): Promise<string> => {
    const found = authenticate(req, { locals: {} } as Response, { client_id, client_secret }, find);
    return found.then(
      () => 'accepted',
      ({ code }) => code,
    );
  };
  return { call, find };
}

test('a look-up is work of the app whose secret was accepted last; wrong secrets count by app and network', async () => {
  const id = newId('app');
  const app = { id, disabled_by: null, secret_hash: hashToken('right') } as SecretRow;
  const counted: string[] = [];
  const run = vi.fn((_share: string, work: () => Promise<unknown>) => work());
  const { call, find } = authenticator({ app, run, consume: (name, key) => void counted.push(`${name}: ${key}`) });

  for (const secret of ['wrong', 'right']) await call(id, secret);
  await call(id, 'right');
  Object.assign(app, { secret_hash: hashToken('next') });
  expect([await call(id, 'right'), await call(id, 'right')]).toEqual(Array(2).fill('INVALID_CLIENT_SECRET'));
  const unknown = 'unknown apps';
  expect(run.mock.calls.map(([share]) => share)).toEqual([unknown, unknown, id, id, unknown]);
  expect(await call('app_döner', 'right')).toBe('INVALID_CLIENT_SECRET');
  expect(find.mock.lastCall).toEqual(['']);
  const network = '32.1.13.184.0.0.0.0';
  expect(counted).toEqual([
    `app-secrets: ${id} ${network}`,
    ...Array(2).fill(`app-token: ${id}`),
    ...Array(2).fill(`app-secrets: ${id} ${network}`),
    `app-secrets: no app ${network}`,
  ]);
});

test('a replaced secret works until it expires', async () => {
  const secrets = { secret_hash: hashToken('next'), previous_secret_hash: hashToken('former') };
  const app = { id: newId('app'), disabled_by: null, ...secrets } as SecretRow;
  const { call } = authenticator({ app });
  const answers: string[] = [];
  for (const expiry of [NOW + 1, NOW, null]) {
    Object.assign(app, { previous_secret_expires_at: expiry });
    answers.push(await call(app.id, 'former'), await call(app.id, 'next'));
  }
  expect(answers).toEqual([
    ...Array(2).fill('accepted'),
    ...Array(2).fill(['INVALID_CLIENT_SECRET', 'accepted']).flat(),
  ]);
});
