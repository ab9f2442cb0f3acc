import { expect, it } from 'vitest';
import { addExchange, readExchanges } from './grant-exchanges.ts';

const exchange = (generation: number) => ({ generation, at: generation * 1000, requestId: null, ip: '203.0.113.7' });

it('records the first exchange and the latest ten, for any number of refreshes', () => {
  let column: string | null = null;
  for (let generation = 1; generation <= 2000; generation++) column = addExchange(column, exchange(generation));
  expect(readExchanges(column)).toEqual([1, 1991, 1992, 1993, 1994, 1995, 1996, 1997, 1998, 1999, 2000].map(exchange));
});

it('reads no exchange before the first one', () => {
  expect(readExchanges(null)).toEqual([]);
});
