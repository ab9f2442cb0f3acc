export type { PlatformEvent } from '@plat/contract';
export type { TestDelivery } from '@plat/webhooks/testing';
export { createMockPlatform } from './create-mock-platform.ts';
export type { FailOptions, FailureKind, FailureTarget } from './faults.ts';
export type {
  MockApp,
  MockAppOptions,
  MockOAuth,
  MockPlatform,
  MockPlatformOptions,
  MockRequest,
  SignOptions,
} from './mock-platform.ts';
export type { Decision } from './oauth/authorize.ts';
export type { OAuthEndpoint } from './oauth/endpoints.ts';
