export * from './dedupe/index.ts';
export * from './errors.ts';
export { isKnownEvent, type UnknownEvent, type UnknownEventType, type WebhookEvent } from './event.ts';
export type { DeliveryHeaders, Signed } from './headers.ts';
export type { TimeOptions } from './policy.ts';
export type { RawBody } from './raw-body.ts';
export { type SignDeliveryInput, signDelivery, signingKey } from './sign.ts';
export { createVerifier, type Verifier, type VerifierOptions, verify } from './verifier.ts';
