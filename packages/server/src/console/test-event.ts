import type { PlatformEvent } from '@plat/contract';
import { SAMPLE_PAYLOADS } from '@plat/webhooks/testing';

/** True for an event with sample data, which describes no object of the tenant. */
export function isTestEvent({ type, data }: PlatformEvent): boolean {
  return JSON.stringify(data) === JSON.stringify(SAMPLE_PAYLOADS[type]);
}

/** Words beside a test event. */
export const TEST_EVENT_WORDS = 'A test event: its data is a sample, and its object does not exist.';
