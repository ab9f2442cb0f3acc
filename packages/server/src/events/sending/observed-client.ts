import { Agent, Client, type Dispatcher, Pool } from 'undici';
import { type Connection, newConnection } from './connection.ts';
import type { GuardedConnector } from './guarded-connect.ts';

const OPTIONS: Client.Options = {
  pipelining: 1,
  keepAliveMaxTimeout: 60_000,
  // The one deadline is over everything; idle timers would let a dripping answer go on for ever.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Sends every request over a {@link ObservedClient}, with a pool of them for each target. */
export function createAgent(connector: GuardedConnector): Agent {
  return new Agent({ factory: (origin) => new Pool(origin, { factory: (url) => new ObservedClient(url, connector) }) });
}

/** A request that wants to know the line it goes over. */
export interface ObservedRequest extends Dispatcher.DispatchOptions {
  onClient(client: ObservedClient): void;
}

/** An HTTP client of one connection at a time and one request at a time on it: undici's own, that can be asked about it. */
export class ObservedClient extends Client {
  /** The one that is open or coming up, or that was last. */
  connection: Connection | undefined;

  constructor(origin: URL, connector: GuardedConnector) {
    super(origin, {
      ...OPTIONS,
      connect: (target, callback) => {
        this.connection = newConnection();
        connector.connect(target, this.connection, callback);
      },
    });
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // Pools hand on the very object they were given.
    (request as ObservedRequest).onClient(this);
    return super.dispatch(request, handler);
  }
}
