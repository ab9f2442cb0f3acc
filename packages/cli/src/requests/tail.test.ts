import { expect, it } from 'vitest';
import { createRequestFeed, openRequestSource } from './request-feed.ts';

const entry = (n: number) => ({ id: `req_${String(n).padStart(26, '0')}` });

it('reads on for the first lines when a page has fewer matches than it examined rows', async () => {
  const pages = [
    { data: [], has_more: true, endCursor: entry(900).id },
    { data: [entry(800)], has_more: true, endCursor: entry(700).id },
    { data: [entry(600), entry(500)], has_more: true, endCursor: entry(500).id },
  ];
  const asked: object[] = [];
  const list = (query: object) => {
    if ('created_after' in query)
      return { withMeta: async () => ({ data: { data: [], has_more: false, endCursor: null } }) };
    asked.push(query);
    return { withMeta: async () => ({ data: pages[asked.length - 1], rateLimit: null }) };
  };
  const platform = { requests: { list } } as never;
  const retries = {
    retrying: async (call: () => ReturnType<typeof list>) => (await call().withMeta()).data,
    options: {},
  } as never;
  const seen: string[] = [];
  const feed = createRequestFeed(openRequestSource(platform, retries, {}), async ({ id }) => void seen.push(id));
  await feed.begin(3);
  expect(seen).toEqual([entry(500), entry(600), entry(800)].map(({ id }) => id));
  expect(asked).toEqual([
    { limit: 3 },
    { limit: 3, starting_after: entry(900).id },
    { limit: 2, starting_after: entry(700).id },
  ]);
});
