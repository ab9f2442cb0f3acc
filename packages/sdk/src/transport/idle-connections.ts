import type { Agent } from 'node:http';
import type { Socket } from 'node:net';

/** How long the idle connections of one agent may be used again. */
export interface IdleConnections {
  /** Takes in the `Keep-Alive` header of an answer. */
  learn(header: string | null): void;
  /** Closes the connections that are past their time. */
  dropExpired(): void;
  /** Closes all idle connections. */
  dropAll(): void;
}

/**
 * Watches an agent's idle connections. Node honours the server's `Keep-Alive: timeout=…` only together with an agent
 * time-out, whose timers cost 5 % of every request; one look at the youngest idle connection costs nothing.
 */
export function watchIdle(agent: Agent, idleTimeout: number, now: () => number = Date.now): IdleConnections {
  const expiry = new WeakMap<object, number>();
  let header: string | null = null;
  let lifetime = idleTimeout;
  agent.on('free', (socket: object) => expiry.set(socket, now() + lifetime));
  const drop = (all: boolean) => {
    for (const name in agent.freeSockets) {
      const sockets = agent.freeSockets[name];
      // The youngest is given out first: when it is in time, there is nothing to do.
      const youngest = sockets?.at(-1);
      if (!sockets || !youngest) continue;
      if (!all && (expiry.get(youngest) ?? Number.POSITIVE_INFINITY) > now()) continue;
      for (const socket of [...sockets]) socket.destroy();
    }
  };
  return {
    learn(next) {
      if (next === header) return;
      header = next;
      lifetime = Math.min(idleTimeout, announced(next));
    },
    dropExpired: () => drop(false),
    dropAll: () => drop(true),
  };
}

/**
 * Spares an agent of ours the look at the answer's headers, which Node takes at the end of each request and for which
 * it builds the whole headers object: {@link watchIdle} has read the one that matters.
 */
export function keepAlivePlainly(agent: Agent): void {
  // Node's documented hook (Agent, keepSocketAlive), which its types give another argument and result.
  const hook: { keepSocketAlive: (socket: Socket) => boolean } = agent as never;
  hook.keepSocketAlive = (socket) => {
    socket.setKeepAlive(true, 1000);
    socket.unref();
    return true;
  };
}

/** The announced time less a second: the server counts from an earlier moment than we do. */
function announced(header: string | null): number {
  const seconds = header === null ? undefined : /\btimeout=(\d+)/.exec(header)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Number(seconds) * 1000 - 1000);
}
