import { createSign, createVerify } from 'node:crypto';
import { expect, test } from 'vitest';
import { seedRandom } from '../kernel/random.ts';
import { seededKeyPair } from './seeded-key-pair.ts';

function pairOf(seed: number) {
  const end = seedRandom(seed, { mode: 'development' });
  try {
    return seededKeyPair(2048);
  } finally {
    end();
  }
}

test('a key pair is derived from the seed, signs, and has full length', () => {
  const { publicKey, privateKey } = pairOf(7);
  expect(publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65_537n });
  const signature = createSign('sha256').update('text').sign(privateKey);
  expect(createVerify('sha256').update('text').verify(publicKey, signature)).toBe(true);
  expect(createVerify('sha256').update('other').verify(publicKey, signature)).toBe(false);
  expect(pairOf(7).publicKey.export({ format: 'jwk' })).toEqual(publicKey.export({ format: 'jwk' }));
  expect(pairOf(8).publicKey.export({ format: 'jwk' })).not.toEqual(publicKey.export({ format: 'jwk' }));
});
