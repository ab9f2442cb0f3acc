import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BusyThreads, ConnectionWatch } from './mysql-connections.ts';
import type { Connection } from './sequelize-internals.ts';

const HOST = { host: 'db1', port: 3306 };
const OTHER_HOST = { host: 'db2', port: 3306 };
const LIMIT_MS = 10_000;
const MAX_AGE_MS = 60_000;
const SERVER = 'db1 3306';

const running = (...ids: readonly number[]): BusyThreads => ({ server: SERVER, ids: new Set(ids) });

let busy: BusyThreads;
let busyThreads: () => Promise<BusyThreads>;
let asked: number;
let limitMs: number | null;
let watch: ConnectionWatch;

beforeEach(() => {
  vi.useFakeTimers();
  [busy, asked, limitMs] = [running(), 0, LIMIT_MS];
  busyThreads = async () => busy;
  watch = new ConnectionWatch({
    limitMs: () => limitMs,
    maxAgeMs: MAX_AGE_MS,
    busyThreads() {
      asked++;
      return busyThreads();
    },
  });
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

/** A watched connection whose statements are answered by `answer`, and never before. */
function connect(threadId: number, host = HOST) {
  const answers: ((error: object | null) => void)[] = [];
  const socket = Object.assign(new EventEmitter(), {
    readyState: 'open',
    destroy(error: Error) {
      socket.readyState = 'closed';
      for (const answer of answers.splice(0)) answer(error);
    },
  });
  const connection = Object.assign(new EventEmitter(), {
    query: (_text: string, done: (error: object | null) => void) => void answers.push(done),
    execute() {},
    ping: (done: (error: object | null) => void) => void answers.push(done),
  }) as unknown as Connection;
  watch.add(connection, socket as unknown as Socket, host, { threadId, isNode: false, server: SERVER });
  return {
    connection,
    /** Sends a statement and returns its errors. */
    query() {
      const errors: unknown[] = [];
      connection.query('SELECT 1', (error) => errors.push(error));
      return errors;
    },
    answer: (error: object | null = null) => answers.shift()?.(error),
    answerTwice() {
      const answer = answers.shift();
      answer?.(null);
      answer?.(null);
    },
  };
}

test('a statement that its host runs may take until the limit', async () => {
  const { query, connection } = connect(7);
  busy = running(7);
  const errors = query();
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(errors).toEqual([]);
  expect(asked).toBeGreaterThan(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(errors).toEqual([expect.objectContaining({ code: 'ETIMEDOUT' })]);
  expect(watch.isUsable(connection)).toBe(false);
});

test('a statement that its host does not run is ended, and the other connections to the host are replaced', async () => {
  const [lost, idle, elsewhere] = [connect(7), connect(8), connect(9, OTHER_HOST)];
  const errors = lost.query();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(asked).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(errors).toEqual([expect.objectContaining({ code: 'ETIMEDOUT' })]);
  expect([idle, elsewhere].map(({ connection }) => watch.isUsable(connection))).toEqual([false, true]);
});

test.each([
  ['unreachable', 1],
  ['unknown', 0],
] as const)('when the threads of a host are %s, %i silent statements are ended', async (threads, ended) => {
  busy = threads;
  const errors = connect(7).query();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(errors).toHaveLength(ended);
});

test('one failed connection to a host ends no statement', async () => {
  busyThreads = async () => (asked === 1 ? 'unreachable' : running(7));
  const errors = connect(7).query();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toBeGreaterThan(2);
  expect(errors).toEqual([]);
});

test('without a limit, statements of a host that is unreachable continue', async () => {
  limitMs = null;
  busy = 'unreachable';
  const errors = connect(7).query();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(errors).toEqual([]);
});

test('the threads of another server behind the same address end no statement', async () => {
  busy = { server: 'db2 3306', ids: new Set() };
  const errors = connect(7).query();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(errors).toEqual([]);
});

test('a statement that is answered twice is counted once', async () => {
  const { query, answerTwice, connection } = connect(7);
  const ended = query();
  answerTwice();
  expect(ended).toEqual([null]);
  // With a wrong number the statement would be taken for none.
  const errors = query();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(errors).toHaveLength(1);
  expect(watch.isUsable(connection)).toBe(false);
});

test('a statement that is answered while its host is asked is not ended', async () => {
  const { query, answer, connection } = connect(7);
  const errors = query();
  const asking = Promise.withResolvers<BusyThreads>();
  busyThreads = () => asking.promise;
  await vi.advanceTimersByTimeAsync(2_500);
  answer();
  query();
  asking.resolve(running());
  await vi.advanceTimersByTimeAsync(500);
  expect(errors).toEqual([null]);
  expect(watch.isUsable(connection)).toBe(true);
});

test('after a read-only error no connection to the host is used again; new ones are', () => {
  const [first, second] = [connect(1), connect(2)];
  first.query();
  second.query();
  first.answer({ errno: 1290 });
  const third = connect(3);
  // An error of a connection that is replaced already.
  second.answer({ errno: 1290 });
  expect([first, second, third].map(({ connection }) => watch.isUsable(connection))).toEqual([false, false, true]);
});

test('an error of a statement leaves its connection in use', () => {
  const { query, answer, connection } = connect(1);
  query();
  answer({ errno: 1062 });
  expect(watch.isUsable(connection)).toBe(true);
});

test('a connection is replaced about at its maximum age', async () => {
  const { connection } = connect(1);
  await vi.advanceTimersByTimeAsync(0.79 * MAX_AGE_MS);
  expect(watch.isUsable(connection)).toBe(true);
  await vi.advanceTimersByTimeAsync(0.42 * MAX_AGE_MS);
  expect(watch.isUsable(connection)).toBe(false);
});

test('a connection that was unused for a second is checked, and is ended when nothing answers within a second', async () => {
  const { connection, answer } = connect(1);
  expect(watch.isUnchecked(connection)).toBe(false);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(watch.isUnchecked(connection)).toBe(true);
  const alive = watch.answers(connection);
  answer();
  expect([await alive, watch.isUnchecked(connection)]).toEqual([true, false]);
  const dead = watch.answers(connection);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([await dead, watch.isUsable(connection)]).toEqual([false, false]);
});
