import { resolve } from 'node:path';
import { LISTENER_USER_AGENT } from '@plat/contract';
import { quoted, shellWord } from '../command/command-line.ts';
import { connect, connectDeveloper } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { removeReadyFile, writeReadyFile } from '../files/ready-file.ts';
import { poll } from '../polling/poll.ts';
import { type Child, startChild } from '../terminal/child.ts';
import { write } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { pause, Stopped, type Stopping, stopOnSignals } from '../terminal/stopping.ts';
import { printAttempt } from './attempt-line.ts';
import { type Cursor, createCursor, openCursor } from './cursor.ts';
import { lowestEventId } from './event-ids.ts';
import { createFeed, settledBy } from './feed.ts';
import { type ForwardAttempt, forward } from './forward.ts';
import type { ListenInvocation } from './invocation.ts';
import { lockCursor } from './lock.ts';
import { readSecret } from './secret.ts';
import { type EventSource, type ListedEvent, openAppSource, openSource } from './source.ts';
import { type StateFiles, stateFiles } from './state-files.ts';

/** Forwards the events of the tenant or of an app to an address until a signal stops it, or its command ends. */
export async function runListen(context: CommandContext, given: ListenInvocation): Promise<void> {
  const readyFile = given.readyFile === undefined ? undefined : resolve(context.io.cwd, given.readyFile);
  if (readyFile !== undefined) await removeReadyFile(readyFile);
  // Before the signals: it may read a key from stdin, which a signal must end.
  const { open, close } = await connectTo(context, given.app);
  const stopping = stopOnSignals();
  stopping.signal.addEventListener('abort', () => {
    const { reason } = stopping.signal;
    if (reason instanceof Stopped && reason.by) void note(context, 'Stopping. Send a second signal to stop at once.');
  });
  try {
    await listen(context, open, { ...given, readyFile }, stopping);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    stopping.release();
    close();
    if (readyFile !== undefined) await removeReadyFile(readyFile);
  }
}

interface Connected {
  readonly open: (signal: AbortSignal) => Promise<EventSource>;
  readonly close: () => void;
}

/** Connects with the key to the API, or for an app with the login to the developer API. */
async function connectTo(context: CommandContext, app: string | undefined): Promise<Connected> {
  const userAgent = LISTENER_USER_AGENT;
  if (app === undefined) {
    const platform = await connect(context, { changes: false, userAgent });
    return { open: (signal) => openSource(context, platform, signal), close: () => platform.close() };
  }
  const { developer } = await connectDeveloper(context, { userAgent });
  return {
    open: (signal) => openAppSource(context, { developer, app }, signal),
    close: () => developer.close(),
  };
}

async function listen(
  context: CommandContext,
  open: Connected['open'],
  given: ListenInvocation,
  stopping: Stopping,
): Promise<void> {
  const source = await open(stopping.signal);
  const baseUrl = context.trace.connection?.baseUrl ?? '';
  const files = stateFiles(context.io, { baseUrl, sourceId: source.id, to: given.to }, given);
  const release = await lockCursor(files.cursor);
  try {
    const secret = await readSecret(files.secret);
    const cursor = await cursorFor(source, files.cursor, given.begin);
    try {
      await serve(context, given, { source, cursor, secret, files }, stopping);
    } finally {
      await cursor.close();
    }
  } finally {
    await release();
  }
}

interface Parts {
  readonly source: EventSource;
  readonly cursor: Cursor;
  readonly secret: string;
  readonly files: StateFiles;
}

/** Runs the forwarding and the command; the end of one ends the other. */
async function serve(
  context: CommandContext,
  given: ListenInvocation,
  parts: Parts,
  stopping: Stopping,
): Promise<void> {
  const env = { [given.app === undefined ? 'PLAT_WEBHOOK_SECRET' : 'PLAT_APP_WEBHOOK_SECRET']: parts.secret };
  const child = given.command.length > 0 ? await startChild(context.io, given.command, { env }) : null;
  void child?.ended.then((code) => {
    if (!stopping.signal.aborted) context.trace.exitCode = code;
    stopping.stop();
  });
  try {
    await tellReady(context, given, parts, child);
    await forwardEvents(context, given, parts, stopping);
  } finally {
    const { reason } = stopping.signal;
    await child?.stop(reason instanceof Stopped ? reason.by : null);
  }
}

async function forwardEvents(
  context: CommandContext,
  { to, app, wanted, count }: ListenInvocation,
  { source, cursor, secret, files }: Parts,
  stopping: Stopping,
): Promise<void> {
  const wait = (ms: number) => pause(context.io, ms, stopping.signal);
  const tell = (attempt: ForwardAttempt) => tellAttempt(context, { to, app, files }, attempt);
  let taken = 0;
  const handle = async (event: ListedEvent): Promise<void> => {
    if (wanted && !wanted.has(event.type)) return cursor.skip(event.id);
    stopping.signal.throwIfAborted();
    const wasTaken = await forward(event, { to, secret, now: Date.now, tell, pause: wait });
    await cursor.done(event.id);
    if (wasTaken && ++taken === count) stopping.stop();
  };
  await poll(createFeed(source, cursor, handle), source.isRateLimitLow, wait);
}

/** Opens the cursor, or creates one that treats all earlier events as processed. */
async function cursorFor(source: EventSource, path: string, begin: ListenInvocation['begin']): Promise<Cursor> {
  // Before a command starts, a key that may not read events is refused here.
  const newest = await source.newest();
  const known = begin === null ? await openCursor(path) : null;
  if (known) return known;
  if (begin !== null && begin !== 'now') return createCursor(path, { settled: begin.from, ids: [] });
  // Events visible now are history. Late events with older ids are still forwarded.
  const settled = newest === null ? lowestEventId(0) : settledBy(newest);
  const ids: string[] = [];
  for (let more = true; more; ) {
    const page = await source.after(ids.at(-1) ?? settled);
    for (const { id } of page.events) ids.push(id);
    more = page.more && page.events.length > 0;
  }
  return createCursor(path, { settled, ids });
}

async function tellReady(
  context: CommandContext,
  { to, app, readyFile, secretFile }: ListenInvocation,
  { source, secret, files }: Parts,
  child: Child | null,
): Promise<void> {
  if (readyFile !== undefined) {
    const about = app === undefined ? { tenant_id: source.id } : { app_id: source.id };
    const ready = { ...about, to, secret_file: files.secret, cursor_file: files.cursor };
    await writeReadyFile(readyFile, ready);
  }
  // The secret is shown on purpose; note() would redact it.
  const isShown = !child && secretFile === undefined && !context.flags.json;
  if (isShown) await write(context.io.stderr, `Signing secret: ${printable(secret)}\n`);
  await note(context, `Ready: forwarding events of ${source.id} to ${to}`);
}

interface Target extends Pick<ListenInvocation, 'to' | 'app'> {
  readonly files: StateFiles;
}

async function tellAttempt(
  context: CommandContext,
  { to, app, files: { secret } }: Target,
  given: ForwardAttempt,
): Promise<void> {
  const { event, answer, outcome } = given;
  await printAttempt(context, given, Date.now());
  if (outcome === 'retrying' && answer.errorCode === 'ECONNREFUSED') {
    await note(context, `Nothing listens at ${to}; waiting. No event is lost.`);
  }
  if (outcome === 'failed') {
    const get = app === undefined ? 'plat webhooks events get' : `plat apps webhooks events get ${shellWord(app)}`;
    const again = `${get} ${shellWord(event.id)} --json | plat webhooks send - --to ${quoted(to)} --secret-file ${quoted(secret)}`;
    await note(context, `${event.id} was not accepted. To send it again: ${again}`);
  }
}
