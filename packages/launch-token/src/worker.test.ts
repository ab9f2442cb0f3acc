import { expect, test } from 'vitest';
import * as main from './index.ts';
import { outcomeOf } from './outcome.fixture.ts';
import * as worker from './worker.ts';

test('the worker entry has the same names as the Node entry', () => {
  expect(Object.keys(worker).sort()).toEqual(Object.keys(main).sort());
});

test('in a worker createLaunchVerifier throws an error that names the right import', async () => {
  expect(await outcomeOf(() => worker.createLaunchVerifier())).toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining('@plat/launch-token/web-crypto'),
  });
});
