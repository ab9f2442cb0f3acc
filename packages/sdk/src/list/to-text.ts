import { csvLine, type OptionNames } from '@plat/contract';
import { checkOptionNames } from '../checks/options.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** Options of {@link toCsv}. */
export interface CsvOptions {
  /**
   * Columns, as names of fields. A dot leads into an object: `actor.id`. The fields of the first item when absent; then an
   * empty list has no line at all.
   */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Returns a list as CSV (RFC 4180) in UTF-8, with a line of column names. Null is empty, a list of values is separated by
 * commas, and any other object is JSON. Text that a spreadsheet would run as a formula gets an apostrophe in front. Items
 * are requested as the stream is read; cancelling it ends the list. An error of the list is the error of the stream.
 *
 * @example
 * await pipeline(toCsv(platform.clients.list()), createWriteStream('clients.csv'));
 * return new Response(toCsv(list, { columns: ['id', 'name'] }), { headers: { 'content-type': 'text/csv' } });
 *
 * @throws {@link InvalidArgumentError} for an unknown option, unless `columns` is an array of at least one name, and for
 * items that are no async iterable, such as a page
 */
export function toCsv(items: AsyncIterable<object>, options: CsvOptions = {}): ReadableStream<Uint8Array> {
  checkOptionNames('toCsv', options, { columns: true } satisfies OptionNames<CsvOptions>, { fields: 'columns' });
  let names = options.columns;
  if (names !== undefined && !(Array.isArray(names) && names.length > 0 && names.every(isName))) {
    throw new InvalidArgumentError('columns', 'must be an array of at least one name of a field');
  }
  return streamOf(items, names ? csvLine(names) : '', (item) => {
    const head = names ? '' : csvLine(Object.keys(item));
    names ??= Object.keys(item);
    return head + csvLine(names.map((name) => cellOf(valueAt(item, name))));
  });
}

/**
 * Returns a list as NDJSON in UTF-8: the JSON of each item on its line. It reads the list as {@link toCsv} does.
 *
 * @example
 * await pipeline(toNdjson(platform.audit.events.list()), createWriteStream('audit.ndjson'));
 *
 * @throws {@link InvalidArgumentError} for items that are no async iterable, such as a page
 */
export function toNdjson(items: AsyncIterable<object>): ReadableStream<Uint8Array> {
  return streamOf(items, '', (item) => `${JSON.stringify(item)}\n`);
}

/** Bytes of a chunk. Smaller chunks would cost a turn of the event loop for each item. */
const CHUNK = 16 * 1024;

function streamOf(
  items: AsyncIterable<object>,
  head: string,
  lineOf: (item: object) => string,
): ReadableStream<Uint8Array> {
  if (typeof items?.[Symbol.asyncIterator] !== 'function') {
    throw new InvalidArgumentError('items', 'must be an async iterable: pass the list without await');
  }
  const iterator = items[Symbol.asyncIterator]();
  const end = async (): Promise<void> => {
    await iterator.return?.();
  };
  const encoder = new TextEncoder();
  let text = head;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let isDone = false;
        try {
          while (!isDone && text.length < CHUNK) {
            const next = await iterator.next();
            if (next.done) isDone = true;
            else text += lineOf(next.value);
          }
        } catch (error) {
          // A stream that fails is not cancelled. An error of the end must not hide the first one.
          await end().catch(() => undefined);
          throw error;
        }
        if (text !== '') controller.enqueue(encoder.encode(text));
        text = '';
        if (isDone) controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== '';
}

function valueAt(item: object, path: string): unknown {
  let value: unknown = item;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = Reflect.get(value, name);
  }
  return value;
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
