import { expect } from 'vitest';
import type { Api } from './api.ts';

/**
 * Reads a list in small pages to its end and back, and asserts the same items both ways. Resolves to their cursors in
 * order.
 * @param cursor name of the cursor field of an item
 */
export async function readBothWays(api: Api, path: string, cursor = 'id', limit = 2): Promise<string[]> {
  const page = async (query: string): Promise<{ cursors: string[]; more: boolean }> => {
    const { status, body } = await api(`${path}?limit=${limit}${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', url: path });
    return { cursors: body.data.map((item: Record<string, string>) => item[cursor]), more: body.has_more };
  };
  const down: string[] = [];
  for (let more = true; more; ) {
    const next = await page(down.length === 0 ? '' : `&starting_after=${down.at(-1)}`);
    down.push(...next.cursors);
    more = next.more;
  }
  const up = down.slice(-1);
  for (let more = true; more; ) {
    const before = await page(`&ending_before=${up[0]}`);
    up.unshift(...before.cursors);
    more = before.more;
  }
  expect(up).toEqual(down);
  return down;
}
