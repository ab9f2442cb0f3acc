import { APP_EVENT_TYPES, type AppEvent, type AppEventType, type PlatformEvent } from '@plat/contract';
import { SAMPLE_PAYLOADS } from '@plat/webhooks/testing';
import { samplePayloadOf } from '../resources/webhook-endpoints/send-test-event.ts';

/** True for an event with sample data, which describes no object of the tenant. */
export function isTestEvent({ type, data }: PlatformEvent | AppEvent): boolean {
  const sample = isAppEventType(type) ? samplePayloadOf(type) : SAMPLE_PAYLOADS[type];
  return JSON.stringify(data) === JSON.stringify(sample);
}

function isAppEventType(type: string): type is AppEventType {
  return Object.hasOwn(APP_EVENT_TYPES, type);
}

/** Words beside a test event. */
export const TEST_EVENT_WORDS = 'A test event: its data is a sample, and its object does not exist.';
