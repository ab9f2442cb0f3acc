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
export { type TestPlatform, type UsePlatformOptions, usePlatform } from './use-platform.ts';
