export type { EventOf } from '@plat/contract';
export { SAMPLE_APP_PAYLOADS } from './testing/app-samples.ts';
export { SAMPLE_APP_ID, SAMPLE_PAYLOADS, SAMPLE_TENANT_ID } from './testing/samples.ts';
export {
  type Flaw,
  signTestEvent,
  TEST_SECRET,
  type TestAppEventOptions,
  type TestDelivery,
  type TestEventOf,
  type TestEventOptions,
  type TestOptionsOf,
} from './testing/sign-test-event.ts';
