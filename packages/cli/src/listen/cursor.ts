import { type FileHandle, open, readFile } from 'node:fs/promises';
import { isId } from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { isAbsent, replaceFile } from '../files/private-file.ts';
import { isObject, parseJson } from '../terminal/value.ts';
import { unwritable } from './state-files.ts';

/** The processed events, stored on disk. */
export interface Cursor {
  /** Every event below this id is processed. */
  readonly settled: string;
  /** The highest processed id; `settled` if there is none above it. */
  readonly latest: string;
  has(id: string): boolean;
  /** Records an event that is not sent. It is stored with the next event that is. */
  skip(id: string): void;
  /** Records an event that was sent. It is stored when the promise resolves. */
  done(id: string): Promise<void>;
  /** Advances {@link settled} to an id. Ids below it are removed later. */
  settle(id: string): Promise<void>;
  /** Stores skipped events, and closes the file. */
  close(): Promise<void>;
}

/** Content of a cursor file. */
interface Content {
  readonly settled: string;
  /** Processed events above it. */
  readonly ids: readonly string[];
}

/** Minimum number of ids before a file is compacted, once half of them are settled. */
const MANY = 1000;

/**
 * Opens the cursor in a file; null if the file does not exist.
 * @throws {@link CliError} `UNREADABLE_STATE`, `UNWRITABLE_STATE`
 */
export async function openCursor(path: string): Promise<Cursor | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw new CliError('UNREADABLE_STATE', `${path} cannot be read (${codeOf(error)})`);
  }
  return createCursor(path, parse(path, text));
}

/**
 * Creates a cursor file and opens it. Its first line is `settled`, then each line is an id. Appending a line is as
 * safe as rewriting the file, at constant cost.
 * @throws {@link CliError} `UNWRITABLE_STATE`
 */
export async function createCursor(path: string, content: Content): Promise<Cursor> {
  let { settled } = content;
  const seen = new Set(content.ids);
  let latest = content.ids.reduce((a, b) => (a > b ? a : b), settled);
  let unwritten = '';
  let file = await rewrite(path, settled, seen);

  const remember = (id: string): void => {
    seen.add(id);
    if (id > latest) latest = id;
    unwritten += `${id}\n`;
  };
  const flush = async (): Promise<void> => {
    if (unwritten === '') return;
    const lines = unwritten;
    unwritten = '';
    try {
      await file.appendFile(lines);
      await file.datasync();
    } catch (error) {
      throw unwritable(path, error);
    }
  };

  return {
    get settled() {
      return settled;
    },
    get latest() {
      return latest;
    },
    has: (id) => id < settled || seen.has(id),
    skip: remember,
    done(id) {
      remember(id);
      return flush();
    },
    async settle(id) {
      if (id <= settled) return;
      settled = id;
      if (latest < id) latest = id;
      if (seen.size < MANY) return;
      const left = [...seen].filter((one) => one >= id);
      if (left.length > seen.size / 2) return;
      seen.clear();
      for (const one of left) seen.add(one);
      unwritten = '';
      await file.close();
      file = await rewrite(path, settled, seen);
    },
    async close() {
      try {
        await flush();
      } finally {
        await file.close();
      }
    },
  };
}

/** Rewrites the file and opens it for appending. */
async function rewrite(path: string, settled: string, ids: Iterable<string>): Promise<FileHandle> {
  try {
    await replaceFile(path, [JSON.stringify({ version: 1, settled }), ...ids, ''].join('\n'));
    return await open(path, 'a', 0o600);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function parse(path: string, text: string): Content {
  const [first = '', ...rest] = text.split('\n');
  const head = headOf(first);
  if (head === null) {
    throw new CliError('UNREADABLE_STATE', `${path} is not a cursor file of plat`, {
      next: 'Delete it to start with new events.',
    });
  }
  // A process killed while writing leaves half a line. Its event is sent again.
  return { settled: head, ids: rest.filter((line) => isId('event', line) && line >= head) };
}

function headOf(line: string): string | null {
  const head = parseJson(line);
  if (!isObject(head) || head['version'] !== 1) return null;
  const { settled } = head;
  return isId('event', settled) ? settled : null;
}
