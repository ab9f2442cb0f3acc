import type { Sealer } from '../../kernel/seal.ts';

/** Seals a signing secret for its endpoint. In the row of another endpoint it cannot be opened. */
export function sealEndpointSecret(sealer: Sealer, endpointId: string, secret: string): Buffer {
  return sealer.seal(secret, endpointSecretPurpose(endpointId));
}

export function openEndpointSecret(sealer: Sealer, endpointId: string, sealed: Buffer): string {
  return sealer.open(sealed, endpointSecretPurpose(endpointId));
}

/** Returns a function that opens secrets and caches them: opening one costs more than sending a delivery. */
export function createSecretOpener(sealer: Sealer): (endpointId: string, sealed: Buffer) => string {
  const opened = new Map<string, string>();
  return (endpointId, sealed) => {
    // The sealed text of each secret is unique.
    const key = endpointId + Buffer.from(sealed).toString('latin1');
    let secret = opened.get(key);
    if (secret === undefined) {
      secret = openEndpointSecret(sealer, endpointId, sealed);
      if (opened.size >= MAX_CACHED) opened.clear();
      opened.set(key, secret);
    }
    return secret;
  };
}

const MAX_CACHED = 2_000;

/** Purpose of the current and the previous secret: a rotation moves one column to the other. */
export function endpointSecretPurpose(endpointId: string): string {
  return `webhook secret of ${endpointId}`;
}
