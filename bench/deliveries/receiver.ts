// Separate process: accepts every delivery, and reports the first and last arrival of a series.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../lib/child.ts';

/** Messages of the receiver: its port, then the times of each series, in ms since the epoch. */
export interface Received {
  readonly port: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

let port = 0;
let count = 0;
let expected = 0;
let firstAt = 0;
let lastAt = 0;
let whenAll: (received: Received) => void = () => undefined;

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  req.resume();
  req.on('end', () => {
    res.writeHead(204).end();
    lastAt = Date.now();
    if (count === 0) firstAt = lastAt;
    count++;
    if (count === expected) whenAll({ port, firstAt, lastAt });
  });
});

// Every address of 127.0.0.0/8 counts as a separate host.
server.listen(0, '0.0.0.0', () => {
  port = (server.address() as AddressInfo).port;
  serveParent<Received>({ port, firstAt, lastAt }, (wanted) => {
    count = 0;
    expected = Number(wanted);
    return new Promise((resolve) => {
      whenAll = resolve;
    });
  });
});
