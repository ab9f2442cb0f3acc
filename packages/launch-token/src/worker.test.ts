import { expect, test } from 'vitest';
import * as main from './index.ts';
import { outcomeOf } from './outcome.fixture.ts';
import * as worker from './worker.ts';

test('a worker finds the same names as Node', () => {
  expect(Object.keys(worker).sort()).toEqual(Object.keys(main).sort());
});

test('in a worker createLaunchVerifier says at once what to import instead', async () => {
  expect(await outcomeOf(() => worker.createLaunchVerifier())).toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining('@plat/launch-token/web-crypto'),
  });
});
