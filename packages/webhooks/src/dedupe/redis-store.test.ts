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

test('a claim that the client sent again, because the response was lost, is held', async () => {
  let stored = '';
  const store = createRedisStore({
    command(name, _key, value) {
      if (name === 'GET') return stored;
      // ioredis repeats a command on a new connection: the first one was executed.
      stored ||= String(value);
      return null;
    },
  });
  const dedupe = createDedupe({ store });
  expect((await dedupe.claim({ id: 'evt_1' })).outcome).toBe('claimed');
  expect((await dedupe.claim({ id: 'evt_1' })).outcome).toBe('in_progress');
});

test('only the OK of Redis is a claim: a duplicate never passes because a client answered something else', async () => {
  expect(await claimWith({ SET: undefined })).toBe('in_progress');
  await expect(claimWith({ SET: 'QUEUED' })).rejects.toThrow('OK');
});
