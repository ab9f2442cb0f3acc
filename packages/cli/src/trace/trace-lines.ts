import type {
  AppTrace,
  AppTraceAttempt,
  AppTraceEntry,
  Trace,
  TraceAttempt,
  TraceChange,
  TraceEntry,
  TraceRequest,
} from '@plat/contract';
import { markdownAsText } from '../terminal/markdown-as-text.ts';
import { printable } from '../terminal/printable.ts';
import { relativeTime } from '../terminal/relative-time.ts';
import type { Style } from '../terminal/style.ts';
import { timeOfDay } from '../terminal/time-of-day.ts';

/** One entry: its row, and further lines below it. */
interface Shown {
  readonly text: string;
  readonly isAlarm?: boolean;
  readonly more?: readonly string[];
}

const KIND_WIDTH = 'request'.length;
const INDENT = ' '.repeat('hh:mm:ss.mmm'.length + 2 + KIND_WIDTH + 2);
/** Maximum number of changed fields, and of characters of a value or a response, that are shown. */
const MAX_FIELDS = 8;
const MAX_TEXT = 120;

/** Returns a trace as lines: the problems with cause and fix, then the timeline, with an empty line between first causes. */
export function traceLines({ problems, entries }: Trace | AppTrace, style: Style, now: number): string[] {
  const lines = [...Map.groupBy(problems, ({ code }) => code)].flatMap(([code, same]) => [
    `${style.alarm(printable(code))}  ${style.faint(printable(same.map(({ entry_id }) => entry_id).join(', ')))}`,
    ...same
      .slice(0, 1)
      .flatMap(({ cause, fix }) => [
        `  Cause: ${printable(markdownAsText(cause))}`,
        `  Fix:   ${printable(markdownAsText(fix))}`,
      ]),
    '',
  ]);
  let day = '';
  for (const entry of entries) {
    const isFirst = entry.caused_by === null;
    if (isFirst && lines.length > 0 && lines.at(-1) !== '') lines.push('');
    const date = dayOf(entry.at);
    if (date !== day) lines.push(style.heading(date));
    day = date;
    const { text, isAlarm = false, more = [] } = shown(entry, now);
    const cells = [timeIn(entry.at), entry.kind.padEnd(KIND_WIDTH)];
    lines.push(
      `${style.faint(cells.join('  '))}  ${isAlarm ? style.alarm(text) : text}  ${style.faint(printable(entry.id))}`,
    );
    lines.push(...more.map((line) => `${INDENT}${line}`));
  }
  return lines;
}

function shown(entry: TraceEntry | AppTraceEntry, now: number): Shown {
  switch (entry.kind) {
    case 'request':
      return ofRequest(entry);
    case 'change':
      return ofChange(entry);
    case 'event':
      return { text: printable(entry.event.type) };
    case 'attempt':
      return ofAttempt(entry, now);
    case 'replay': {
      const { select, status, scheduled_count: count } = entry.replay;
      return { text: printable(`${select} events: ${status}, ${count} scheduled`) };
    }
    case 'grant': {
      const { step, reason, app_id, ip } = entry;
      const words = [step, reason && `(${reason})`, app_id, ip && `from ${ip}`].filter(Boolean);
      return { text: printable(words.join(' ')), isAlarm: step === 'reused' };
    }
  }
}

function ofRequest({ request }: TraceRequest): Shown {
  if (!request) return { text: 'The request log does not have it.' };
  const { method, path, query, status, error, credential, ip, duration_ms: ms } = request;
  const url = query === null ? path : `${path}?${query}`;
  const who = `${credential.type} ${credential.id}${ip === null ? '' : ` from ${ip}`}`;
  const fields = error?.errors?.map((one) => `${one.path} ${one.message}`) ?? (error ? [error.message] : []);
  return {
    text: printable(`${method} ${url}  ${status ?? '---'}${error ? ` ${error.code}` : ''}  ${Math.round(ms)} ms`),
    isAlarm: error !== null,
    more: [who, ...fields].map(printable),
  };
}

function ofChange({ change }: TraceChange): Shown {
  const { action, target, actor, changes, session_id: signIn } = change;
  const who = actor.id === null ? actor.type : `${actor.type} ${actor.id}`;
  const by = signIn ? `${who} in the sign-in ${signIn}` : who;
  const all = Object.entries(changes ?? {});
  const fields = all.slice(0, MAX_FIELDS).map(([name, { before, after }]) => {
    return `${name}: ${short(JSON.stringify(before))} → ${short(JSON.stringify(after))}`;
  });
  const rest = all.length > MAX_FIELDS ? [`and ${all.length - MAX_FIELDS} more fields`] : [];
  return { text: printable(`${action}  ${target.id}`), more: [`by ${by}`, ...fields, ...rest].map(printable) };
}

function ofAttempt({ delivery, endpoint, at }: TraceAttempt | AppTraceAttempt, now: number): Shown {
  const { attempt, endpoint_id, status, response_status, response_body, error, duration_ms: ms, timings } = delivery;
  const to = `${attempt} to ${endpoint?.url ?? endpoint_id}`;
  if (status === 'pending') {
    const due = relativeTime(Date.parse(at) / 1000, now / 1000);
    const paused = endpoint?.paused_until ? [printable(`The endpoint is paused until ${endpoint.paused_until}.`)] : [];
    return { text: printable(`${to}  due ${due}`), more: paused };
  }
  const result = [response_status ?? error ?? delivery.error_class, ms !== null && `${ms} ms`].filter(Boolean);
  const failed = status !== 'succeeded';
  const phases = Object.entries(timings ?? {}).flatMap(([name, value]) =>
    value === null || name === 'total_ms' ? [] : [`${name.slice(0, -'_ms'.length).replace('_', ' ')} ${value} ms`],
  );
  return {
    text: printable(`${to}  ${result.join('  ')}`),
    isAlarm: failed,
    more: failed ? [phases.join(', '), short(response_body ?? '')].filter(Boolean).map(printable) : [],
  };
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

/** Returns hh:mm:ss.mmm in the local time zone. */
function timeIn(at: string): string {
  return printable(`${timeOfDay(Date.parse(at))}.${at.slice(20, 23)}`);
}

/** Returns yyyy-mm-dd in the local time zone. */
function dayOf(at: string): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
