import * as jose from 'jose';
import { expect, test, vi } from 'vitest';
import { createSealer } from '../kernel/seal.ts';
import { newKeyPair, openPrivateKey } from './key-pair.ts';

vi.mock('jose', async (importOriginal) => {
  const real = await importOriginal<typeof jose>();
  return { ...real, calculateJwkThumbprint: vi.fn(real.calculateJwkThumbprint) };
});

const sealer = createSealer([Buffer.alloc(32, 7)]);

test('a key whose id looks like an option is not used', async () => {
  // A real thumbprint starts with a hyphen once in 64 times.
  vi.mocked(jose.calculateJwkThumbprint).mockResolvedValueOnce('-force').mockResolvedValueOnce('second');
  const { kid, public_jwk, private_key } = await newKeyPair(sealer);
  expect(kid).toBe('second');
  expect(JSON.parse(public_jwk)).toMatchObject({ kid, alg: 'RS256', use: 'sig' });
  expect(await openPrivateKey(sealer, kid, private_key)).toBeDefined();
  expect(jose.calculateJwkThumbprint).toHaveBeenCalledTimes(2);
});
