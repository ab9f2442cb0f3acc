// Separate process: responds to deliveries as their paths say, and reports when they arrived.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../lib/child.ts';

/** A delivery that arrived: the client of its event, and the arrival of its headers by {@link monotonicMs}. */
export interface Arrival {
  readonly clientId: string;
  readonly at: number;
}

/** Report of the observer since the last request. */
export interface Observed {
  readonly port: number;
  readonly count: number;
  /** Number of unanswered deliveries. */
  readonly open: number;
  /** Deliveries at `/hook`. */
  readonly arrivals: readonly Arrival[];
}

const CLIENT_ID = /"data":\{"object":"client","id":"(\w+)"/;

let count = 0;
let open = 0;
let arrivals: Arrival[] = [];

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const at = Number(process.hrtime.bigint()) / 1e6;
  const [, path = '', ms = '0'] = (req.url ?? '').split('/');
  open++;
  res.on('close', () => open--);
  let body = '';
  req.on('data', (chunk) => {
    body += chunk;
  });
  req.on('end', () => {
    count++;
    if (path === 'hangs') return;
    if (path === 'hook') arrivals.push({ clientId: CLIENT_ID.exec(body)?.[1] ?? '', at });
    if (path === 'after') setTimeout(() => res.writeHead(204).end(), Number(ms));
    else res.writeHead(204).end();
  });
});

// Every address of 127.0.0.0/8 counts as a separate host.
server.listen(0, '0.0.0.0', () => {
  const { port } = server.address() as AddressInfo;
  const observe = (): Observed => {
    const observed = { port, count, open, arrivals };
    count = 0;
    arrivals = [];
    return observed;
  };
  serveParent<Observed>(observe(), observe);
});
