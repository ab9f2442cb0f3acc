import { expect, test } from 'vitest';
import * as main from './index.ts';
import { outcomeOf } from './outcome.fixture.ts';
import * as worker from './worker.ts';

test('the worker entry has the same names as the Node entry', () => {
  expect(Object.keys(worker).sort()).toEqual(Object.keys(main).sort());
});

test.each([worker.createVerifier, worker.verify, worker.signDelivery, worker.signingKey])(
  'in a worker %o throws an error that names the right import',
  (call) => {
    expect(outcomeOf(call)).toMatchObject({
      code: 'RUNTIME_UNSUPPORTED',
      name: 'WebhookConfigurationError',
      hint: expect.stringContaining('@plat/webhooks/web'),
    });
  },
);
