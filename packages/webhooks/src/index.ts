export type { AppEvent, AppEventType } from '@plat/contract';
export * from './dedupe/index.ts';
export type { VerifiedDelivery } from './delivery.ts';
export * from './errors.ts';
export { isAppEvent, isKnownEvent, type UnknownEvent, type UnknownEventType, type WebhookEvent } from './event.ts';
export type { DeliveryHeaders, Signed } from './headers.ts';
export type { TimeOptions } from './policy.ts';
export type { RawBody } from './raw-body.ts';
export type { SecretLookup, SecretResolver, VerifyContext } from './resolver.ts';
export type { MatchedSecret, SecretEntry, Secrets } from './secrets.ts';
export { type SignDeliveryInput, signDelivery, signingKey } from './sign.ts';
export {
  type AnyVerifierOptions,
  createVerifier,
  type ResolvingVerifier,
  type ResolvingVerifierOptions,
  type Verifier,
  type VerifierOptions,
  verify,
} from './verifier.ts';
