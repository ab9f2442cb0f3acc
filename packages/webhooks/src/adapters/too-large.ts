import { WebhookVerificationError } from '../errors.ts';

/** Creates the error for a body beyond the limit. */
export function tooLarge(maxBytes: number): WebhookVerificationError {
  return new WebhookVerificationError('BODY_TOO_LARGE', `The limit here is ${maxBytes} bytes (maxBodyBytes).`);
}
