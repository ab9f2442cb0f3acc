import type { Sealer } from '../../kernel/seal.ts';

/** Seals a signing secret for its endpoint: moved to another endpoint's row, it does not open. */
export function sealEndpointSecret(sealer: Sealer, endpointId: string, secret: string): Buffer {
  return sealer.seal(secret, endpointSecretPurpose(endpointId));
}

export function openEndpointSecret(sealer: Sealer, endpointId: string, sealed: Buffer): string {
  return sealer.open(sealed, endpointSecretPurpose(endpointId));
}

/** Opens the secrets of endpoints, and remembers those in use: opening one costs more than sending a delivery does. */
export function createSecretOpener(sealer: Sealer): (endpointId: string, sealed: Buffer) => string {
  const opened = new Map<string, string>();
  return (endpointId, sealed) => {
    // The sealed text is another one whenever the secret is.
    const key = endpointId + Buffer.from(sealed).toString('latin1');
    let secret = opened.get(key);
    if (secret === undefined) {
      secret = openEndpointSecret(sealer, endpointId, sealed);
      if (opened.size >= MAX_OPENED) opened.clear();
      opened.set(key, secret);
    }
    return secret;
  };
}

const MAX_OPENED = 2_000;

/** Of a secret and of the previous one: a rotation moves the one to where the other was. */
export function endpointSecretPurpose(endpointId: string): string {
  return `webhook secret of ${endpointId}`;
}
