import { type AppEvent, isAppEventType, type PlatformEvent } from '@plat/contract';
import { SAMPLE_APP_PAYLOADS, SAMPLE_PAYLOADS } from '@plat/webhooks/testing';

/** True for an event with sample data, which describes no object of the tenant. */
export function isTestEvent({ type, data }: PlatformEvent | AppEvent): boolean {
  const sample = isAppEventType(type) ? SAMPLE_APP_PAYLOADS[type] : SAMPLE_PAYLOADS[type];
  return JSON.stringify(data) === JSON.stringify(sample);
}

/** Words beside a test event. */
export const TEST_EVENT_WORDS = 'A test event: its data is a sample, and its object does not exist.';
