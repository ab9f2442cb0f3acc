import { type FileHandle, open, readFile } from 'node:fs/promises';
import { isId } from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';
import { codeOf, isAbsent, replaceFile } from '../files/private-file.ts';
import { isObject } from '../terminal/value.ts';
import { unwritable } from './state-files.ts';

/** Which events are done with, on the disk. */
export interface Cursor {
  /** Below this id everything is done with. */
  readonly settled: string;
  /** The highest id that is done with; `settled` where there is none above it. */
  readonly latest: string;
  has(id: string): boolean;
  /** Remembers an event that is not to be sent. It is on the disk with the next one that was. */
  skip(id: string): void;
  /** Remembers an event that was sent; on the disk when it resolves. */
  done(id: string): Promise<void>;
  /** Moves {@link settled} up to an id; what lies below is forgotten, sooner or later. */
  settle(id: string): Promise<void>;
  close(): Promise<void>;
}

/** What a file of a cursor holds. */
interface Content {
  readonly settled: string;
  /** Events above it that are done with. */
  readonly ids: readonly string[];
}

/** From how many ids on a file is written anew when half of them are settled. */
const MANY = 1000;

/**
 * Opens the cursor in a file; null when there is none yet.
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
 * Writes a cursor anew and opens it. The file is one line with `settled` and then a line for each id. A line more for
 * each event is as safe as a file written anew, and costs the same for the ten-thousandth.
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
    await file.appendFile(lines);
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
    async done(id) {
      remember(id);
      try {
        await flush();
        await file.datasync();
      } catch (error) {
        throw unwritable(path, error);
      }
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
      await file.close();
      file = await rewrite(path, settled, seen);
      unwritten = '';
    },
    async close() {
      await flush();
      await file.close();
    },
  };
}

/** The file with this content, open for more lines. */
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
    throw new CliError('UNREADABLE_STATE', `${path} is not a cursor that plat writes`, {
      next: 'Delete it to begin with what happens from now on.',
    });
  }
  // A process that was killed while it wrote leaves half a line, of an event that is then sent again.
  return { settled: head, ids: rest.filter((line) => isId('event', line) && line >= head) };
}

function headOf(line: string): string | null {
  try {
    const head: unknown = JSON.parse(line);
    if (!isObject(head) || head['version'] !== 1) return null;
    const { settled } = head;
    return isId('event', settled) ? settled : null;
  } catch {
    return null;
  }
}
