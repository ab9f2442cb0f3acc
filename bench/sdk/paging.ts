import type { Client } from '@plat/contract';
import { Platform } from '@plat/sdk';
import { nodeTransport } from '@plat/sdk/node';
import type { Contestant } from '../lib/rounds.ts';
import { API_KEY } from './contestants.ts';

export const ITEMS = 100_000;
export const PAGING = { ours: 'for await over the list', hand: 'hand loop on the same transport' } as const;

/** Compares both ways of reading all items, in items per second. */
export function pagingContestants(port: number): Contestant<number>[] {
  const origin = `http://127.0.0.1:${port}`;
  const platform = new Platform({ apiKey: API_KEY, baseUrl: origin });
  return [
    { name: PAGING.hand, sample: () => rateOf(byHand(origin)) },
    { name: PAGING.ours, sample: () => rateOf(platform.clients.list()) },
  ];
}

/** Returns the growth of the heap in bytes from item 10,000 to item 100,000 of a list. */
export async function heapGrowth(port: number): Promise<number> {
  const platform = new Platform({ apiKey: API_KEY, baseUrl: `http://127.0.0.1:${port}` });
  let count = 0;
  let early = 0;
  let late = 0;
  for await (const client of platform.clients.list()) {
    if (client.object !== 'client') throw new Error('an item that is no client');
    count++;
    if (count === ITEMS / 10) early = heapInUse();
    if (count === ITEMS) late = heapInUse();
  }
  return late - early;
}

/** A hand-written loop over pages: request, parse, use the last id as the cursor. */
async function* byHand(origin: string): AsyncGenerator<Client> {
  const transport = nodeTransport();
  const headers = { authorization: `Bearer ${API_KEY}`, accept: 'application/json' };
  let cursor = '';
  for (;;) {
    const path = `/v1/clients?limit=100${cursor}`;
    const { body } = await transport.send({
      method: 'GET',
      origin,
      path,
      url: origin + path,
      headers,
      body: undefined,
      signal: new AbortController().signal,
      onCancel: () => undefined,
    });
    const page: { data: Client[]; has_more: boolean } = JSON.parse(body);
    for (const client of page.data) yield client;
    if (!page.has_more) break;
    cursor = `&starting_after=${page.data.at(-1)?.id}`;
  }
  transport.close?.();
}

async function rateOf(clients: AsyncIterable<Client>): Promise<number> {
  const start = performance.now();
  let count = 0;
  for await (const client of clients) if (client.object === 'client') count++;
  if (count !== ITEMS) throw new Error(`${count} of ${ITEMS} items`);
  return (count / (performance.now() - start)) * 1000;
}

function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
