import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import { tempFolder } from '../../testing/processes.ts';
import type { GrantStore } from '../grant-store.ts';
import { tryFileLock } from './file-lock.ts';
import { fileStore } from './file-store.ts';
import { memoryStore } from './memory-store.ts';
import { grantsTableSql, sqlStore } from './sql-store.ts';

/** A database of Node's SQLite module. */
async function sqlite(shape: (rows: unknown, changes: number) => unknown = (rows, changes) => rows ?? { changes }) {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  database.exec(grantsTableSql('sqlite'));
  return (sql: string, values: readonly (string | number)[]) => {
    const statement = database.prepare(sql);
    if (sql.startsWith('SELECT')) return shape(statement.all(...values), 0);
    return shape(undefined, Number(statement.run(...values).changes));
  };
}

const STORES: readonly [string, () => GrantStore | Promise<GrantStore>][] = [
  ['memoryStore', () => memoryStore()],
  ['fileStore', () => fileStore(tempFolder())],
  ['sqlStore', async () => sqlStore({ query: await sqlite() })],
  ['sqlStore for SQLite', async () => sqlStore({ query: await sqlite(), dialect: 'sqlite' })],
  [
    'sqlStore over what pg returns',
    async () =>
      sqlStore({ query: await sqlite((rows, rowCount) => ({ rows: rows ?? [], rowCount })), dialect: 'sqlite' }),
  ],
  [
    'sqlStore over mysql2',
    async () => sqlStore({ query: await sqlite((rows, affectedRows) => [rows ?? { affectedRows }, []]) }),
  ],
  [
    'sqlStore over promises',
    async () => {
      const query = await sqlite((rows, rowCount) => rows ?? { rowCount });
      return sqlStore({ query: async (sql, values) => query(sql, values) });
    },
  ],
];

test.each(STORES)('%s stores a write over the expected version only', async (_, make) => {
  const store = await make();
  expect(await store.get('ten_1')).toBeNull();
  expect(await store.compareAndSet('ten_1', 7, { version: 8, value: 'x' })).toBe(false);
  expect(await store.compareAndSet('ten_1', null, { version: 1, value: 'a' })).toBe(true);
  expect(await store.compareAndSet('ten_1', null, { version: 2, value: 'b' })).toBe(false);
  expect(await store.compareAndSet('ten_1', 1, { version: 1_790_000_000_000, value: 'c' })).toBe(true);
  expect(await store.compareAndSet('ten_1', 1, { version: 3, value: 'd' })).toBe(false);
  expect(await store.get('ten_1')).toEqual({ version: 1_790_000_000_000, value: 'c' });
  expect(await store.get('TEN_1')).toBeNull();
  expect(await store.get('ten/../1')).toBeNull();
});

test.each(STORES)('%s accepts one of many concurrent writes', async (_, make) => {
  const store = await make();
  for (const expected of [null, 100]) {
    const writes = Array.from({ length: 20 }, (_unused, i) =>
      store.compareAndSet('ten_1', expected, { version: expected === null ? 100 : 200 + i, value: `${i}` }),
    );
    const won = (await Promise.all(writes)).flatMap((done, i) => (done ? [i] : []));
    expect(won).toHaveLength(1);
    expect((await store.get('ten_1'))?.value).toBe(`${won[0]}`);
  }
});

test.each(STORES)('%s lists its grants in pages of the given size, each grant once', async (_, make) => {
  const store = await make();
  const keys = ['b', 'd', 'a', 'e', 'c'];
  for (const key of keys) await store.compareAndSet(key, null, { version: 1, value: key });
  const pages: string[][] = [];
  for (let after: string | null = null; pages.length < 4; after = pages.at(-1)?.at(-1) ?? null) {
    const page = (await store.list?.({ after, limit: 2 })) ?? [];
    for (const { key, value } of page) expect(value).toBe(key);
    pages.push(page.map(({ key }) => key));
    if (page.length < 2) break;
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().sort()).toEqual(keys.toSorted());
});

test('the memory store shows nothing when printed', async () => {
  const store = memoryStore();
  await store.compareAndSet('ten_1', null, { version: 1, value: 'SeCrEt' });
  expect(inspect(store, { showHidden: true, depth: 9 }) + JSON.stringify(store)).not.toContain('SeCrEt');
});

test('the SQL store rethrows errors other than conflicts, and names missing results of a query function', async () => {
  const broken = sqlStore({ query: () => Promise.reject(new Error('server gone')) });
  await expect(broken.compareAndSet('k', null, { version: 1, value: 'v' })).rejects.toThrow('server gone');
  const mute = sqlStore({ query: () => undefined });
  await expect(mute.get('k')).rejects.toThrow('no rows');
  await expect(mute.compareAndSet('k', 1, { version: 2, value: 'v' })).rejects.toThrow('the number of changed rows');
  expect(() => sqlStore({ query: () => [], table: 'a; DROP' })).toThrow(InvalidArgumentError);
  expect(() => grantsTableSql('sqlite', 'a; DROP')).toThrow(InvalidArgumentError);
  const unknown = { query: () => [], dialect: 'oracle' };
  expect(() => Reflect.apply(sqlStore, undefined, [unknown])).toThrow(/dialect: .*mysql, postgresql, sqlite/);
  expect(() => Reflect.apply(sqlStore, undefined, [])).toThrow(InvalidArgumentError);
});

test('the statements for PostgreSQL have numbered placeholders', async () => {
  const asked: string[] = [];
  const store = sqlStore({
    dialect: 'postgresql',
    query: (sql) => {
      asked.push(sql);
      return { rows: [], rowCount: 1 };
    },
  });
  await store.get('k');
  await store.compareAndSet('k', null, { version: 1, value: 'v' });
  await store.compareAndSet('k', 1, { version: 2, value: 'v' });
  expect(asked).toEqual([
    'SELECT version, value FROM plat_grants WHERE grant_key = $1',
    'INSERT INTO plat_grants (grant_key, version, value) VALUES ($1, $2, $3) ON CONFLICT (grant_key) DO NOTHING',
    'UPDATE plat_grants SET version = $1, value = $2 WHERE grant_key = $3 AND version = $4',
  ]);
});

test('the grants of a library that returns the names of columns in camelCase are listed', async () => {
  const stored: Readonly<Record<string, unknown>> = { grant_key: 'ten_1', version: 1, value: 'v' };
  const query = (sql: string) => {
    const columns = /^SELECT (.*) FROM/.exec(sql)?.[1]?.split(', ') ?? [];
    const fields = columns.map((column) => {
      const [name = '', alias = name] = column.split(' AS ');
      return [alias.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), stored[name]];
    });
    return [Object.fromEntries(fields)];
  };
  const page = await sqlStore({ query }).list?.({ after: null, limit: 2 });
  expect(page).toEqual([{ key: 'ten_1', version: 1, value: 'v' }]);
});

test('grants are files that only the owner can read, with readable names, and no other files are left', async () => {
  const folder = join(tempFolder(), 'made');
  const store = fileStore(folder);
  await store.compareAndSet('account 7/é'.replace(/[^!-~]/g, '+'), null, { version: 1, value: 'v' });
  const [name = '', ...others] = readdirSync(folder);
  expect(name).toMatch(/^account_7__-[0-9a-f]{24}\.json$/);
  expect(others).toEqual([]);
  if (process.platform !== 'win32') {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
  expect(store.id).toBe(`file:${folder}`);
});

test('a file that is not a grant causes an error that does not quote it', async () => {
  const folder = tempFolder();
  const store = fileStore(folder);
  await store.compareAndSet('k', null, { version: 1, value: 'v' });
  writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'plat_rt_SeCrEt');
  const error = await store.get('k').catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/is not JSON$/);
  expect(String(error)).not.toContain('SeCrEt');
});

test('a failed write leaves the old content', async () => {
  const folder = tempFolder();
  const store = fileStore(folder);
  await store.compareAndSet('k', null, { version: 1, value: 'v' });
  const fs = await import('node:fs/promises');
  const rename = vi.spyOn(fs.default, 'rename').mockRejectedValueOnce(new Error('no space'));
  await expect(store.compareAndSet('k', 1, { version: 2, value: 'w' })).rejects.toThrow('no space');
  rename.mockRestore();
  expect(await store.get('k')).toEqual({ version: 1, value: 'v' });
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await store.compareAndSet('k', 1, { version: 2, value: 'w' })).toBe(true);
});

test('a process that was suspended in a write, and lost its lock, does not replace what was written meanwhile', async () => {
  const folder = tempFolder();
  const store = fileStore(folder);
  await store.compareAndSet('k', null, { version: 1, value: 'old pair' });
  const { default: fs } = await import('node:fs/promises');
  const { open } = fs;
  const suspended = vi.spyOn(fs, 'open').mockImplementationOnce(async (path, ...rest) => {
    expect(path).toContain('.writing.');
    // Another process takes the lock from this one.
    for (const name of readdirSync(folder)) if (name.endsWith('.writing')) rmSync(join(folder, name));
    expect(await fileStore(folder).compareAndSet('k', 1, { version: 3, value: 'new pair' })).toBe(true);
    return open(path, ...rest);
  });
  expect(await store.compareAndSet('k', 1, { version: 2, value: 'old pair with a mark' })).toBe(false);
  suspended.mockRestore();
  expect(await store.get('k')).toEqual({ version: 3, value: 'new pair' });
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a lock has one holder, names its process, and is free after its release', async () => {
  const path = join(tempFolder(), 'x.lock');
  const lock = tryFileLock(path, 15_000);
  if ('heldBy' in lock) throw new Error('it was free');
  expect(tryFileLock(path, 15_000)).toEqual({
    heldBy: expect.stringMatching(`^process ${process.pid} on ${hostname()}, since 2`),
  });
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  await lock.release();
  expect(tryFileLock(path, 15_000)).toHaveProperty('release');
});

test('the lock of an ended process is free at the second try, and its late release affects no other holder', async () => {
  const path = join(tempFolder(), 'x.lock');
  const old = tryFileLock(path, 15_000);
  if ('heldBy' in old) throw new Error('it was free');
  const text = readFileSync(path, 'utf8');
  writeFileSync(`${path}.dead`, 'what it was writing');
  // No process has this number: it is above the maximum of Linux.
  writeFileSync(path, text.replace(/"pid":\d+/, '"pid":99999999').replace(/"token":"[^"]+"/, '"token":"dead"'));
  expect(tryFileLock(path, 15_000)).toEqual({ heldBy: expect.stringContaining('process 99999999') });
  const next = tryFileLock(path, 15_000);
  expect(next).toHaveProperty('release');
  expect(existsSync(`${path}.dead`)).toBe(false);
  await old.release();
  expect(tryFileLock(path, 15_000)).toHaveProperty('heldBy');
});

test('the lock of a remote process ends after 15 s without heartbeat, by the clock of the waiting process', async () => {
  const path = join(tempFolder(), 'x.lock');
  // No process of this machine has this number, and a machine of the same name is another one.
  const holder = { token: 't', pid: 99_999_999, place: hostname(), host: 'web-2', since: 'then' };
  writeFileSync(path, JSON.stringify(holder));
  let now = 1_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const tries = [0, 14_000, 14_999].map((after) => {
    now = 1_000 + after;
    return tryFileLock(path, 15_000);
  });
  expect(tries).toEqual(Array.from({ length: 3 }, () => ({ heldBy: 'process 99999999 on web-2, since then' })));
  utimesSync(path, 1, 1);
  now += 10_000;
  expect(tryFileLock(path, 15_000)).toHaveProperty('heldBy');
  now += 15_001;
  expect(tryFileLock(path, 15_000)).toHaveProperty('heldBy');
  expect(tryFileLock(path, 15_000)).toHaveProperty('release');
});

test('a created but unwritten lock ends in the same way', async () => {
  const path = join(tempFolder(), 'x.lock');
  writeFileSync(path, '');
  let now = 1_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  expect(tryFileLock(path, 15_000)).toEqual({ heldBy: 'another process' });
  now += 15_001;
  tryFileLock(path, 15_000);
  expect(tryFileLock(path, 15_000)).toHaveProperty('release');
});

test('a dead lock is removed by one process at a time, and the trace of a killed remover is removed too', async () => {
  const path = join(tempFolder(), 'x.lock');
  const lock = tryFileLock(path, 15_000);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"pid":\d+/, '"pid":99999999'));
  writeFileSync(`${path}.break`, '');
  let now = 1_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  for (let tries = 0; tries < 3; tries++) expect(tryFileLock(path, 15_000)).toHaveProperty('heldBy');
  now += 5_001;
  for (let tries = 0; tries < 2; tries++) expect(tryFileLock(path, 15_000)).toHaveProperty('heldBy');
  expect(tryFileLock(path, 15_000)).toHaveProperty('release');
  if ('release' in lock) await lock.release();
});

test('a held lock has a heartbeat', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(tempFolder(), 'x.lock');
  const lock = tryFileLock(path, 15_000);
  const before = statSync(path).mtimeMs;
  vi.advanceTimersByTime(60_000);
  const after = statSync(path).mtimeMs;
  expect(after - before).toBeGreaterThan(50_000);
  // After another process has taken it over, the heartbeat does not keep it for that process.
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"token":"[^"]+"/, '"token":"other"'));
  utimesSync(path, 1, 1);
  vi.advanceTimersByTime(60_000);
  expect(statSync(path).mtimeMs).toBe(1_000);
  if ('release' in lock) await lock.release();
  expect(vi.getTimerCount()).toBe(0);
});

test('an unusable folder is reported at its first use', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  const store = fileStore(join(folder, 'file', 'grants'));
  await expect(store.compareAndSet('k', null, { version: 1, value: 'v' })).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(() => fileStore('')).toThrow(InvalidArgumentError);
});
