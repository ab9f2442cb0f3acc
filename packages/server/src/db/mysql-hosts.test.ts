import { expect, test } from 'vitest';
import { type Host, HostList } from './mysql-hosts.ts';

/** Three hosts, of which some are down, and the ports that were tried. */
function hosts() {
  const down = new Set<number>();
  const tried: number[] = [];
  let now = 0;
  const list = new HostList(
    [1, 2, 3].map((port) => ({ host: 'localhost', port })),
    async ({ port }: Host) => {
      tried.push(port);
      if (down.has(port)) throw new Error(`${port} is down`);
      return port;
    },
    () => now,
  );
  return { list, down, tried, pass: (ms: number) => (now += ms) };
}

test('the first host that works is used, and one that failed is avoided for some seconds', async () => {
  const { list, down, tried, pass } = hosts();
  down.add(1);
  expect([await list.connect(), await list.connect()]).toEqual([2, 2]);
  expect(tried).toEqual([1, 2, 2]);
  down.clear();
  pass(5_000);
  expect(await list.connect()).toBe(1);
});

test('while no host works, attempts fail at once, and each host is tried again after half a second', async () => {
  const { list, down, tried, pass } = hosts();
  for (const port of [1, 2, 3]) down.add(port);
  await expect(list.connect()).rejects.toThrow('3 is down');
  await expect(list.connect()).rejects.toThrow('3 is down');
  expect(tried).toEqual([1, 2, 3]);
  down.delete(2);
  pass(500);
  expect(await list.connect()).toBe(2);
});

test('one attempt at a time is made at a host that has failed', async () => {
  let attempts = 0;
  const first = Promise.withResolvers<string>();
  let now = 0;
  const list = new HostList<string>(
    [{ host: 'localhost', port: 1 }],
    () => (++attempts === 1 ? Promise.reject(new Error('down')) : first.promise),
    () => now,
  );
  await expect(list.connect()).rejects.toThrow('down');
  now = 500;
  const slow = list.connect();
  await expect(list.connect()).rejects.toThrow('down');
  first.resolve('connected');
  expect([await slow, attempts]).toEqual(['connected', 2]);
});

test('one caller at a time tries a host that has failed; the others use the next one meanwhile', async () => {
  const first = Promise.withResolvers<number>();
  const tried: number[] = [];
  let now = 0;
  const list = new HostList<number>(
    [1, 2].map((port) => ({ host: 'localhost', port })),
    ({ port }) => {
      tried.push(port);
      if (port === 2) return Promise.resolve(2);
      return tried.length === 1 ? Promise.reject(new Error('down')) : first.promise;
    },
    () => now,
  );
  await list.connect();
  now = 5_000;
  const probe = list.connect();
  expect([await list.connect(), await list.connect()]).toEqual([2, 2]);
  first.resolve(1);
  expect([await probe, await list.connect()]).toEqual([1, 1]);
  expect(tried).toEqual([1, 2, 1, 2, 2, 1]);
});

test('callers that have no other host than one that is tried again try it too', async () => {
  let attempts = 0;
  let now = 0;
  const list = new HostList<string>(
    [{ host: 'localhost', port: 1 }],
    async () => {
      if (++attempts === 1) throw new Error('down');
      return 'connected';
    },
    () => now,
  );
  await expect(list.connect()).rejects.toThrow('down');
  now = 5_000;
  expect(await Promise.all([list.connect(), list.connect()])).toEqual(['connected', 'connected']);
});
