import { expect, test } from 'vitest';
import { createDedupe, createRedisStore } from './index.ts';

/** Returns the outcome of a claim, with the responses of a client to SET and GET. */
async function claimWith(answers: { SET: unknown; GET?: unknown }): Promise<string> {
  const store = createRedisStore({ command: (name) => Reflect.get(answers, name) });
  return (await createDedupe({ store }).claim({ id: 'evt_1' })).outcome;
}

test('the responses of a client that returns Buffers are read', async () => {
  expect(await claimWith({ SET: Buffer.from('OK') })).toBe('claimed');
  expect(await claimWith({ SET: null, GET: Buffer.from('completed') })).toBe('completed');
  expect(await claimWith({ SET: null, GET: Buffer.from('another token') })).toBe('in_progress');
});

test('only the OK of Redis is a claim: a duplicate never passes because a client answered something else', async () => {
  expect(await claimWith({ SET: undefined })).toBe('in_progress');
  await expect(claimWith({ SET: 'QUEUED' })).rejects.toThrow('OK');
});
