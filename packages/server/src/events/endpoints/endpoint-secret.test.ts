import { expect, test, vi } from 'vitest';
import { createSealer } from '../../kernel/seal.ts';
import { createSecretOpener, openEndpointSecret, sealEndpointSecret } from './endpoint-secret.ts';

test('a secret is opened for its own endpoint only, also when it is cached', () => {
  const sealer = createSealer([Buffer.alloc(32, 7)]);
  const sealed = sealEndpointSecret(sealer, 'whe_a', 'whsec_a');
  const open = createSecretOpener(sealer);
  const decrypt = vi.spyOn(sealer, 'open');
  expect([open('whe_a', sealed), open('whe_a', sealed)]).toEqual(['whsec_a', 'whsec_a']);
  expect(decrypt).toHaveBeenCalledOnce();
  expect(() => open('whe_b', sealed)).toThrow();
  expect(() => openEndpointSecret(sealer, 'whe_b', sealed)).toThrow();
});
