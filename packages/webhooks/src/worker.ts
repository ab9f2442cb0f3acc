import { WebhookConfigurationError } from './errors.ts';

/*
 * What bundlers for workers (export conditions workerd, worker, edge-light) find as @plat/webhooks. The verifier of the main
 * entry is synchronous, which only Node's crypto can be. To give its name to the asynchronous one would be a trap: code that
 * does not await it would go on as if every delivery were authentic.
 */
export * from './dedupe/index.ts';
export * from './errors.ts';
export { isKnownEvent } from './event.ts';

export function createVerifier(): never {
  throw unsupported('createVerifier');
}

export function verify(): never {
  throw unsupported('verify');
}

export function signDelivery(): never {
  throw unsupported('signDelivery');
}

export function signingKey(): never {
  throw unsupported('signingKey');
}

function unsupported(name: string): WebhookConfigurationError {
  return new WebhookConfigurationError(
    'RUNTIME_UNSUPPORTED',
    `${name} of @plat/webhooks needs Node. In a worker, import createVerifier or webhookHandler from @plat/webhooks/web.`,
  );
}
