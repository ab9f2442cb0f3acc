export { SAMPLE_PAYLOADS, SAMPLE_TENANT_ID } from './testing/samples.ts';
export {
  type Flaw,
  signTestEvent,
  TEST_SECRET,
  type TestDelivery,
  type TestEventOptions,
} from './testing/sign-test-event.ts';
