import { DatabaseError } from 'sequelize';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isConflict, repeatOnConflict } from './conflicts.ts';
import { execute, type Queryable } from './sql.ts';

const failure = (errno: number) => new DatabaseError(Object.assign(new Error('refused'), { errno, sql: '' }));

/** Work that fails with these error numbers, one after the other, and then succeeds. `runs` counts its calls. */
function workThatFails(...errnos: number[]) {
  const counted = {
    runs: 0,
    async work() {
      const errno = errnos[counted.runs++];
      if (errno !== undefined) throw failure(errno);
      return 7;
    },
  };
  return counted;
}

test('work that ends in conflicts is repeated until it succeeds', async () => {
  const counted = workThatFails(1213, 1205, 3101);
  expect(await repeatOnConflict(counted.work)).toBe(7);
  expect(counted.runs).toBe(4);
});

test('work that conflicts each time is given up, and its error is still a conflict', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  const counted = workThatFails(...Array<number>(20).fill(1213));
  const error = await repeatOnConflict(counted.work).catch((thrown: unknown) => thrown);
  expect(counted.runs).toBe(12);
  expect(isConflict(error)).toBe(true);
});

test('work that conflicts is not repeated after 30 s: each lock wait holds a connection', async () => {
  const times = [0, 29_000, 31_000];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 0);
  onTestFinished(() => clock.mockRestore());
  const counted = workThatFails(1205, 1205, 1205);
  await expect(repeatOnConflict(counted.work)).rejects.toThrow('refused');
  expect(counted.runs).toBe(2);
});

test('work that fails for another reason is not repeated', async () => {
  const counted = workThatFails(1062);
  await expect(repeatOnConflict(counted.work)).rejects.toThrow('refused');
  expect(counted.runs).toBe(1);
});

test('a single statement is repeated; one in a transaction is not, because the whole transaction was rolled back', async () => {
  const onSequelize = ({ work }: ReturnType<typeof workThatFails>) =>
    ({ sequelize: { getDialect: () => 'sqlite', query: work } }) as unknown as Queryable;
  const alone = workThatFails(1213);
  expect(await execute(onSequelize(alone), 'UPDATE t SET v = 1')).toBe(7);
  const inside = workThatFails(1213);
  await expect(execute(onSequelize(inside), 'UPDATE t SET v = 1', {}, {} as never)).rejects.toThrow('refused');
  expect([alone.runs, inside.runs]).toEqual([2, 1]);
});
