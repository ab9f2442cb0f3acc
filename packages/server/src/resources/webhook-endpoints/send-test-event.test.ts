import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES } from '@plat/contract';
import { check, SCHEMAS } from '@plat/contract/schemas';
import { signTestEvent } from '@plat/webhooks/testing';
import { expect, test } from 'vitest';

test.each(ALL_EVENT_TYPES)('the sample of %s has the fields of the schema', (type) => {
  expect(check(SCHEMAS.PlatformEvent, signTestEvent(type).event).errors).toEqual([]);
});

test.each(ALL_APP_EVENT_TYPES)('the sample of %s has the fields of the schema of an app', (type) => {
  expect(check(SCHEMAS.AppEvent, signTestEvent(type).event).errors).toEqual([]);
});
