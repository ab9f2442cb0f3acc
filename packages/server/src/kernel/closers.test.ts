import { expect, test } from 'vitest';
import { startOrClose } from './closers.ts';

test('a failed start ends what has started, in reverse order, also when one end fails, and throws its own error', async () => {
  const ended: string[] = [];
  const start = startOrClose(async (closers) => {
    closers.add(() => ended.push('first'));
    closers.add(() => {
      throw new Error('the second part cannot end');
    });
    closers.add(async () => ended.push('third'));
    throw new Error('port in use');
  });
  await expect(start).rejects.toThrow('port in use');
  expect(ended).toEqual(['third', 'first']);
});

test('a started process ends its parts once, and reports the first error', async () => {
  const ended: string[] = [];
  const closers = await startOrClose(async (parts) => {
    parts.add(() => ended.push('first'));
    parts.add(() => Promise.reject(new Error('no')));
    return parts;
  });
  await expect(closers.close()).rejects.toThrow('no');
  await closers.close();
  expect(ended).toEqual(['first']);
});
