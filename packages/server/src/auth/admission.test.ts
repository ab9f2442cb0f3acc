import { expect, test, vi } from 'vitest';
import { ApiError } from '../kernel/api-error.ts';
import { createAdmission } from './admission.ts';

/** Work that runs until it is ended, and the order in which works began. */
function works(admission: ReturnType<typeof createAdmission>) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const start = (tenant: string): Promise<unknown> => {
    const run = admission.run(tenant, async () => {
      begun.push(tenant);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
    // A call that still waits at the end of its test is refused later.
    run.catch(() => undefined);
    return run;
  };
  return { begun, start, endFirst: () => ends.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('one tenant takes three quarters of the slots, and the next tenant begins at once', () => {
  const { begun, start } = works(createAdmission({ slots: 8 }));
  for (let n = 0; n < 20; n++) void start('busy');
  expect(begun).toHaveLength(6);
  void start('quiet');
  expect(begun.at(-1)).toBe('quiet');
});

test('a free slot goes to the tenant with the fewest running, in turns', async () => {
  const { begun, start, endFirst } = works(createAdmission({ slots: 4 }));
  for (const tenant of ['a', 'a', 'a', 'b']) void start(tenant);
  for (const tenant of ['a', 'b', 'c', 'c', 'a', 'd']) void start(tenant);
  expect(begun).toEqual(['a', 'a', 'a', 'b']);
  for (let n = 0; n < 6; n++) {
    endFirst();
    await settle();
  }
  expect(begun.slice(4)).toEqual(['c', 'd', 'a', 'b', 'c', 'a']);
});

test('a call that would wait behind too many others is refused, and the next tenant is not', async () => {
  const admission = createAdmission({ slots: 4, waitingOfShare: 2, waiting: 3 });
  const { start } = works(admission);
  for (let n = 0; n < 5; n++) void start('busy');
  const refused = await start('busy').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } });
  void start('quiet');
  void start('quiet');
  expect(admission.refuses('third')).toBe(true);
  await expect(start('third')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('tenants with as many running calls take turns', async () => {
  const { begun, start, endFirst } = works(createAdmission({ slots: 1 }));
  for (const tenant of ['a', 'a', 'a', 'b', 'b']) void start(tenant);
  for (let n = 0; n < 4; n++) {
    endFirst();
    await settle();
  }
  expect(begun).toEqual(['a', 'a', 'b', 'a', 'b']);
});

test('a tenant whose oldest call waits for more than a second is refused, and the next tenant is not', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const admission = createAdmission({ slots: 4 });
    const { start } = works(admission);
    for (let n = 0; n < 4; n++) void start('busy');
    void start('quiet');
    vi.advanceTimersByTime(1_000);
    expect(admission.refuses('busy')).toBe(false);
    vi.advanceTimersByTime(1);
    expect(admission.refuses('busy')).toBe(true);
    await expect(start('busy')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(admission.refuses('quiet')).toBe(false);
    expect(admission.refuses('unknown')).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('a call is refused when the calls before it would take more than three seconds at their present rate', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { start, endFirst } = works(createAdmission({ slots: 1 }));
    for (let n = 0; n < 20; n++) void start('busy');
    for (let ended = 0; ended < 10; ended++) {
      vi.advanceTimersByTime(60);
      endFirst();
      await settle();
    }
    // Nine wait, and each takes 60 ms: 42 more fit into three seconds.
    for (let n = 0; n < 42; n++) void start('busy');
    await expect(start('busy')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    void start('quiet');
  } finally {
    vi.useRealTimers();
  }
});

test('after three seconds in which calls always waited, a call may wait for a second only, until none waits', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const admission = createAdmission({ slots: 1 });
    const { start, endFirst } = works(admission);
    /** Each call takes 59 ms. */
    const serve = async (count: number, arrives: boolean): Promise<void> => {
      for (let ended = 0; ended < count; ended++) {
        vi.advanceTimersByTime(59);
        endFirst();
        await settle();
        if (arrives) void start('busy');
      }
    };
    /** Returns the number of further calls that may wait. */
    const fill = (): number => {
      for (let count = 0; ; count++) {
        if (admission.refuses('busy')) return count;
        void start('busy');
      }
    };
    for (let n = 0; n < 11; n++) void start('busy');
    await serve(60, true);
    // 17 calls of 59 ms take a second, and ten of them wait.
    expect(fill()).toBe(7);
    await serve(18, false);
    for (let n = 0; n < 11; n++) void start('busy');
    await serve(20, true);
    // 51 calls take three seconds.
    expect(fill()).toBe(41);
  } finally {
    vi.useRealTimers();
  }
});

test('a call that has begun goes before new calls of its tenant, also when their queue is full', async () => {
  const admission = createAdmission({ slots: 1, waitingOfShare: 2 });
  const { begun, start, endFirst } = works(admission);
  for (let n = 0; n < 3; n++) void start('a');
  await expect(start('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  void admission.run('a', async () => void begun.push('second part'), { hasBegun: true });
  endFirst();
  await settle();
  expect(begun).toEqual(['a', 'second part', 'a']);
});

test('calls that have begun are refused when twice as many wait as new ones may', async () => {
  const admission = createAdmission({ slots: 1, waiting: 1 });
  const { start } = works(admission);
  void start('a');
  const second = () => admission.run('a', async () => undefined, { hasBegun: true });
  // They still wait at the end of the test, and are refused later.
  for (let n = 0; n < 2; n++) void second().catch(() => undefined);
  await expect(second()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a call whose caller has left does not run, and the next one does', async () => {
  const admission = createAdmission({ slots: 1 });
  const { begun, start, endFirst } = works(admission);
  void start('a');
  const left = admission.run('a', async () => void begun.push('left'), { isWanted: () => false });
  const refused = expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  void start('b');
  endFirst();
  await refused;
  expect(begun).toEqual(['a', 'b']);
});

test('a call that waited too long is refused, and the others keep their turn', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { begun, start, endFirst } = works(createAdmission({ slots: 1, waitMs: 1000 }));
    void start('a');
    const late = expect(start('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    vi.advanceTimersByTime(600);
    void start('c');
    vi.advanceTimersByTime(600);
    await late;
    endFirst();
    await settle();
    expect(begun).toEqual(['a', 'c']);
  } finally {
    vi.useRealTimers();
  }
});

test('a call that began to run in time no longer counts as waiting when its time is over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { start, endFirst } = works(createAdmission({ slots: 1, waiting: 1, waitMs: 1000 }));
    void start('a');
    void start('b');
    endFirst();
    await settle();
    vi.advanceTimersByTime(1000);
    void start('c');
    await expect(start('d')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  } finally {
    vi.useRealTimers();
  }
});

test('a failed call frees its slot', async () => {
  const admission = createAdmission({ slots: 1 });
  await expect(admission.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const thrown = admission.run('a', () => {
    throw new Error('at once');
  });
  await expect(thrown).rejects.toThrow('at once');
  expect(await admission.run('a', async () => 'yes')).toBe('yes');
});
