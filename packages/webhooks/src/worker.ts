import { WebhookConfigurationError } from './errors.ts';

/*
 * The entry that bundlers for workers and browsers use as @plat/webhooks (export conditions workerd, worker, edge-light,
 * and browser without require). The verifier of the main entry is synchronous, which requires Node's crypto. An
 * asynchronous function of the same name would be dangerous: code that does not await it would treat every delivery as
 * authentic.
 */
export * from './dedupe/index.ts';
export * from './errors.ts';
export { isAppEvent, isKnownEvent } from './event.ts';

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
    `${name} of @plat/webhooks needs Node. In a worker or a browser, import createVerifier or webhookHandler ` +
      'from @plat/webhooks/web.',
  );
}
