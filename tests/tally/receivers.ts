import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HEADERS } from '@plat/contract';
import { SENDER_HEADER } from './name-sender.ts';
import type { Random } from './random.ts';

/** Behaviours of a receiver. The last one breaks every connection for a part of the run. */
export const TEMPERS = ['healthy', 'slow', 'failing', 'away'] as const;
export type Temper = (typeof TEMPERS)[number];

/** One complete request that arrived. */
export interface Arrival {
  /** Number in its response, by which a stored outcome names its arrival. */
  readonly serial: number;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly url: string;
  /** Process that sent it. */
  readonly sender: number;
  /** By this process's monotonic clock, like the times of the kills. */
  readonly at: number;
  /** Null until it is answered. */
  answered: number | null;
}

export interface Receivers {
  readonly arrivals: readonly Arrival[];
  urlOf(temper: Temper, tenant: number): string;
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}

export async function startReceivers(random: Random): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  const state = { isAway: false };
  const [healthy, slow, failing, away] = await Promise.all(
    TEMPERS.map((temper) => listen(createServer(receive(temper)))),
  );
  if (!healthy || !slow || !failing || !away) throw new Error('there is a receiver for each temper');
  const servers = { healthy, slow, failing, away };
  away.on('connection', (socket) => state.isAway && socket.destroy());

  function receive(temper: Temper) {
    return (req: IncomingMessage, res: ServerResponse): void => {
      req.resume().on('end', () => {
        const header = (name: string): string => String(req.headers[name] ?? '');
        const arrival: Arrival = {
          serial: arrivals.length + 1,
          deliveryId: header(HEADERS.deliveryId),
          eventId: header(HEADERS.eventId),
          url: `http://${header('host')}${req.url}`,
          sender: Number(header(SENDER_HEADER)),
          at: performance.now(),
          answered: null,
        };
        arrivals.push(arrival);
        const answer = (): void => {
          arrival.answered = temper === 'failing' && random() < 0.25 ? 500 : 200;
          res.writeHead(arrival.answered).end(`arrival ${arrival.serial}`);
        };
        if (temper === 'slow') setTimeout(answer, 50 + 1_000 * random());
        else answer();
      });
    };
  }

  return {
    arrivals,
    urlOf(temper, tenant) {
      const { port } = servers[temper].address() as AddressInfo;
      return `http://127.0.0.1:${port}/${temper}/${tenant}`;
    },
    setAway(isAway) {
      state.isAway = isAway;
      if (isAway) away.closeAllConnections();
    },
    async close() {
      for (const server of Object.values(servers)) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
    },
  };
}

async function listen(server: Server): Promise<Server> {
  // A keep-alive connection that closes exactly when it is reused would count as a failed attempt.
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}
