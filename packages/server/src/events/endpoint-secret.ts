import type { Sealer } from '../kernel/seal.ts';

/** Seals a signing secret for its endpoint: moved to another endpoint's row, it does not open. */
export function sealEndpointSecret(sealer: Sealer, endpointId: string, secret: string): Buffer {
  return sealer.seal(secret, purpose(endpointId));
}

export function openEndpointSecret(sealer: Sealer, endpointId: string, sealed: Buffer): string {
  return sealer.open(sealed, purpose(endpointId));
}

function purpose(endpointId: string): string {
  return `webhook secret of ${endpointId}`;
}
