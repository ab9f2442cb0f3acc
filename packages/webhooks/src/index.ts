export * from './errors.ts';
export { type SignDeliveryInput, signDelivery, signingKey } from './sign.ts';
