import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadRequest, LoadResult, LoadSpec, StatusFigures } from './offer-load.ts';

/*
 * A process that sends requests over plain sockets. It costs a tenth of an HTTP client, so that it leaves the processor to the
 * server. It reads its LoadSpec from its first argument and prints its LoadResult.
 */

const LENGTH = /\r\ncontent-length: (\d+)/i;
const TICK_MS = 1;

/** A connection with at most one request in progress. */
interface Line {
  readonly socket: Socket;
  sentAt: number;
  received: string;
}

const spec: LoadSpec = JSON.parse(process.argv[2] ?? '');
const texts = spec.requests.map(textOf);
const timesOf = new Map<number, number[]>();
const free: Line[] = [];
const open = new Set<Line>();
const late: number[] = [];
let turn = 0;
let notSent = 0;
let broken = 0;
let endsAt = Number.POSITIVE_INFINITY;
let isOver = false;

await openAll();
const startedAt = performance.now();
endsAt = startedAt + spec.seconds * 1000;
const startedCpu = process.cpuUsage();
if ('rate' in spec) await offerAtRate(spec.rate);
else for (let i = 0; i < spec.callers; i++) send();
await new Promise((done) => setTimeout(done, Math.max(0, endsAt - performance.now())));
const { user, system } = process.cpuUsage(startedCpu);
const elapsedMs = performance.now() - startedAt;
const lastAt = endsAt + (spec.graceMs ?? 0);
while (free.length < open.size && performance.now() < lastAt) await new Promise((next) => setTimeout(next, TICK_MS));
// Responses that arrive later do not count.
isOver = true;
for (const { socket } of open) socket.destroy();
late.sort((a, b) => a - b);
const result: LoadResult = {
  seconds: elapsedMs / 1000,
  good: figuresOf([...timesOf].flatMap(([status, times]) => (status >= 200 && status < 300 ? times : []))),
  statuses: Object.fromEntries([...timesOf].map(([status, times]) => [status, figuresOf(times)])),
  notSent,
  unanswered: open.size - free.length,
  broken,
  cpus: (user + system) / 1000 / elapsedMs,
  lateMs: late[Math.floor(late.length * 0.99)] ?? 0,
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));

/** Sends without regard to the responses. */
async function offerAtRate(rate: number): Promise<void> {
  for (let sent = 0; ; ) {
    const now = performance.now();
    if (now >= endsAt) return;
    const due = ((now - startedAt) / 1000) * rate;
    if (sent < due) late.push(now - startedAt - (sent / rate) * 1000);
    for (; sent < due; sent++) send();
    await new Promise((next) => setTimeout(next, TICK_MS));
  }
}

/** Opens the connections before the load begins, as a pool of a proxy has them. */
async function openAll(): Promise<void> {
  while (open.size < spec.connections) {
    const lines = Array.from({ length: Math.min(100, spec.connections - open.size) }, openLine);
    await Promise.all(lines.map(({ socket }) => once(socket, 'connect')));
    free.push(...lines);
  }
}

function send(): void {
  if (performance.now() >= endsAt) return;
  const line = free.pop() ?? (open.size < spec.connections ? openLine() : undefined);
  if (!line) {
    notSent++;
    return;
  }
  line.sentAt = performance.now();
  line.socket.write(texts[turn++ % texts.length] ?? '');
}

function openLine(): Line {
  const socket = connect({ host: '127.0.0.1', port: spec.port, noDelay: true }).setEncoding('latin1');
  const line: Line = { socket, sentAt: 0, received: '' };
  open.add(line);
  socket.on('data', (chunk: string) => read(line, chunk));
  socket.on('error', () => {});
  socket.on('close', () => {
    if (!open.delete(line) || isOver) return;
    // The server closes a connection after a number of requests.
    const index = free.indexOf(line);
    if (index >= 0) free.splice(index, 1);
    else broken++;
    if ('callers' in spec && index < 0) send();
  });
  return line;
}

function read(line: Line, chunk: string): void {
  line.received += chunk;
  const head = line.received.indexOf('\r\n\r\n');
  if (head < 0) return;
  const length = Number(LENGTH.exec(line.received)?.[1] ?? 0);
  if (line.received.length < head + 4 + length) return;
  const status = Number(line.received.slice(9, 12));
  const closes = /\r\nconnection: close/i.test(line.received.slice(0, head));
  line.received = '';
  const times = timesOf.get(status);
  const ms = performance.now() - line.sentAt;
  if (times) times.push(ms);
  else timesOf.set(status, [ms]);
  if (closes) {
    open.delete(line);
    line.socket.destroy();
  } else {
    free.push(line);
  }
  if ('callers' in spec) send();
}

function textOf({ method, path, key, body }: LoadRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`];
  const text = body === undefined ? '' : JSON.stringify(body);
  if (text !== '') lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

function figuresOf(times: number[]): StatusFigures {
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return { count: times.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
