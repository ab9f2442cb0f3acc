import { expect, test } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { platformFor, refusal } from '../testing/build.ts';
import { listOf } from '../testing/list-of.ts';
import { refuse, serve } from '../testing/serve.ts';

test('an error follows all items before it, and a new list continues at its cursor', async () => {
  const [platform] = await listOf(9, (response, _, index) => {
    if (index === 1) refuse(response, 500, 'INTERNAL_ERROR');
  });
  const ids: string[] = [];
  const read = async (after?: string) => {
    const cursor = after === undefined ? {} : { starting_after: after };
    for await (const item of platform.clients.list({ limit: 4, ...cursor })) ids.push(item.id);
  };
  const error = await refusal(read(), ApiError);
  expect(ids).toHaveLength(4);
  expect(error.cursor).toBe('cli_00006');
  await read(error.cursor ?? undefined);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(new Set(ids).size).toBe(9);
});

test('after an error the same iterator can continue', async () => {
  const [platform] = await listOf(5, (response, _, index) => {
    if (index === 1) refuse(response, 500, 'INTERNAL_ERROR');
  });
  const items = platform.clients.list({ limit: 3 })[Symbol.asyncIterator]();
  const ids: string[] = [];
  let failures = 0;
  for (;;) {
    const step = await items.next().catch(() => null);
    if (step === null) failures++;
    else if (step.done) break;
    else ids.push(step.value.id);
  }
  expect({ failures, count: ids.length }).toEqual({ failures: 1, count: 5 });
});

test('parallel calls of next return each item once, in order', async () => {
  const [platform] = await listOf(7);
  const items = platform.clients.list({ limit: 3 })[Symbol.asyncIterator]();
  const steps = await Promise.all(Array.from({ length: 9 }, () => items.next()));
  expect(steps.map((step) => step.value?.id.slice(-1))).toEqual([
    '7',
    '6',
    '5',
    '4',
    '3',
    '2',
    '1',
    undefined,
    undefined,
  ]);
  expect(steps.map((step) => step.done).slice(-3)).toEqual([false, true, true]);
});

test('parallel calls of next return each page once, in order, also after an error', async () => {
  const [platform] = await listOf(7, (response, _, index) => {
    if (index === 1) refuse(response, 500, 'INTERNAL_ERROR');
  });
  const pages = platform.clients.list({ limit: 3 }).pages();
  const steps = await Promise.allSettled(Array.from({ length: 5 }, () => pages.next()));
  const read = steps.map((step) => (step.status === 'rejected' ? step.reason.code : step.value.value?.data[0]?.id));
  expect(read).toEqual(['cli_00007', 'INTERNAL_ERROR', 'cli_00004', 'cli_00001', undefined]);
});

test('return while a page is loading ends the iteration silently', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const hanging = await serve(() => arrive());
  const items = platformFor(hanging.url).clients.list()[Symbol.asyncIterator]();
  const step = items.next();
  await arrived;
  await items.return?.();
  expect(await step).toEqual({ done: true, value: undefined });
});
