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
