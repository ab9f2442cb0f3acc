import { Agent, Client, type Dispatcher, Pool } from 'undici';
import { type Connection, newConnection } from './connection.ts';
import type { GuardedConnector } from './guarded-connect.ts';

const OPTIONS: Client.Options = {
  pipelining: 1,
  keepAliveMaxTimeout: 60_000,
  // One deadline covers the whole exchange; idle timers would let a slowly dripping response continue forever.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Creates an agent with a pool of {@link ObservedClient}s for each target. */
export function createAgent(connector: GuardedConnector): Agent {
  return new Agent({ factory: (origin) => new Pool(origin, { factory: (url) => new ObservedClient(url, connector) }) });
}

/** A request that is notified of the client that sends it. */
export interface ObservedRequest extends Dispatcher.DispatchOptions {
  onClient(client: ObservedClient): void;
}

/** An undici client, with one connection and one request at a time, that exposes its connection. */
export class ObservedClient extends Client {
  /** The open or opening connection, or the last one. */
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
    // A pool passes on the same object.
    (request as ObservedRequest).onClient(this);
    return super.dispatch(request, handler);
  }
}
