import { expect, test } from 'vitest';
import { toCsv, toNdjson } from '../export.ts';
import { Platform } from '../index.ts';
import { json, refuse, serve } from '../testing/serve.ts';

async function* of(...items: object[]) {
  yield* items;
}
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

test('a list becomes CSV with the fields of its first item', async () => {
  const first = { id: 'cli_1', name: 'Grüße, "Acme"', age: 2, tags: ['a', 'b'], more: { x: 1 }, gone: null, on: true };
  expect(await textOf(toCsv(of(first, { id: 'cli_2', name: '=1+1', age: -1 })))).toBe(
    `id,name,age,tags,more,gone,on
cli_1,"Grüße, ""Acme""",2,"a, b","{""x"":1}",,true
cli_2,'=1+1,-1,,,,
`,
  );
  expect(await textOf(toCsv(of()))).toBe('');
});

test('columns can be chosen, also within objects', async () => {
  const columns = ['actor.id', 'id', 'nothing.there', 'toString'];
  const csv = toCsv(of({ id: 1, actor: { id: 'usr_1' } }, { id: 2, actor: null }), { columns });
  expect(await textOf(csv)).toBe('actor.id,id,nothing.there,toString\nusr_1,1,,\n,2,,\n');
  expect(await textOf(toCsv(of(), { columns: ['id'] }))).toBe('id\n');
  expect(() => toCsv(of(), { columns: [] })).toThrow('columns');
  expect(() => toCsv(of(), { columns: 'id' as never })).toThrow('columns');
});

test('misnamed options and items that are no list are refused at once', async () => {
  const options: object = { fields: ['id'] };
  expect(() => toCsv(of(), options)).toThrow('fields: is not an option; did you mean columns?');
  const page = { object: 'list', data: [], has_more: false, url: '/v1/clients' };
  for (const items of [undefined, [], page]) {
    // JavaScript callers can pass any value.
    expect(() => toCsv(items as never)).toThrow('items: must be an async iterable: pass the list without await');
    expect(() => toNdjson(items as never)).toThrow('items: must be an async iterable: pass the list without await');
  }
});

test('a list becomes NDJSON', async () => {
  expect(await textOf(toNdjson(of({ a: 1 }, { b: 'ü' })))).toBe('{"a":1}\n{"b":"ü"}\n');
});

/** Serves pages of 100 items; `last` is the index of the last one. */
const pages = (last = Number.POSITIVE_INFINITY) =>
  serve((response, _request, index) => {
    const data = Array.from({ length: 100 }, (_, i) => ({ id: `cli_${index}_${i}`, name: 'x'.repeat(100) }));
    json(response, 200, { object: 'list', data, has_more: index < last, url: '/v1/clients' });
  });

test('pages are requested as the stream is read, and no more after it is cancelled', async () => {
  const server = await pages();
  const platform = new Platform({ apiKey: 'plat_test_x', baseUrl: server.url });
  const reader = toNdjson(platform.clients.list()).getReader();
  expect(server.received).toHaveLength(0);
  await reader.read();
  await reader.cancel();
  const requested = server.received.length;
  expect(requested).toBeLessThan(5);
  await platform.me.get().catch(() => {});
  expect(server.received).toHaveLength(requested + 1);
});

test('all pages are in the stream, and the error of a page is the error of the stream', async () => {
  const server = await pages(2);
  const platform = new Platform({ apiKey: 'plat_test_x', baseUrl: server.url, maxRetries: 0 });
  expect((await textOf(toNdjson(platform.clients.list()))).split('\n')).toHaveLength(301);
  const broken = await serve((response) => refuse(response, 403, 'INSUFFICIENT_SCOPE'));
  const other = new Platform({ apiKey: 'plat_test_x', baseUrl: broken.url });
  await expect(textOf(toCsv(other.clients.list()))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test('an item that cannot be written ends the source', async () => {
  let isEnded = false;
  async function* items() {
    try {
      yield { count: 1n };
    } finally {
      isEnded = true;
    }
  }
  await expect(new Response(toNdjson(items())).text()).rejects.toThrow('BigInt');
  expect(isEnded).toBe(true);
});

test('the first error is reported, also when ending the source fails', async () => {
  const next = () => Promise.resolve({ done: false as const, value: { a: 1n } });
  for (const end of [
    () => Promise.reject(new Error('later')),
    () => {
      throw new Error('later');
    },
  ]) {
    const items = { [Symbol.asyncIterator]: () => ({ next, return: end }) };
    await expect(new Response(toNdjson(items)).text()).rejects.toThrow('BigInt');
  }
});
