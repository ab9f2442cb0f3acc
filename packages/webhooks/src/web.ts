export * from './errors.ts';
export { isKnownEvent, type UnknownEvent, type UnknownEventType, type WebhookEvent } from './event.ts';
export type { DeliveryHeaders, Signed } from './headers.ts';
export type { TimeOptions } from './policy.ts';
export type { RawBody } from './raw-body.ts';
export { createVerifier, verify, type WebVerifier, type WebVerifierOptions } from './web-verifier.ts';
