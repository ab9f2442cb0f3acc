export {
  type LaunchReceiverTestOptions,
  type LaunchTestIssuer,
  startTestIssuer,
  type TestIssuerOptions,
  type TestToken,
  testLaunchReceiver,
} from '@plat/launch-token/conformance';
export {
  type CaseResult,
  type ReceiverReport,
  type ReceiverTestOptions,
  testReceiver,
} from '@plat/webhooks/conformance';
export { type SignedInOwner, type SignInOwnerOptions, signInOwner } from './sign-in-owner.ts';
export { type TestPlatform, type UsePlatformOptions, usePlatform } from './use-platform.ts';
