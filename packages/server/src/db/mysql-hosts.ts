/** Address of a database server. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** Time for which a host that failed is not used while another one works, in ms. */
const AVOIDED_MS = 5_000;
/** Interval of attempts at the same host while none works, in ms. Attempts within it fail at once. */
const RETRY_MS = 500;

interface HostState {
  readonly host: Host;
  failedAt: number;
  isTried: boolean;
}

/** Connects to the first of several hosts that works, in their order. Remembers for some seconds which have failed. */
export class HostList<C> {
  readonly #states: readonly HostState[];
  readonly #connect: (host: Host) => Promise<C>;
  readonly #now: () => number;
  #lastError: unknown;

  constructor(hosts: readonly Host[], connect: (host: Host) => Promise<C>, now = () => performance.now()) {
    this.#states = hosts.map((host) => ({ host, failedAt: Number.NEGATIVE_INFINITY, isTried: false }));
    this.#connect = connect;
    this.#now = now;
  }

  /** @throws the error of the last attempt when no host works */
  async connect(): Promise<C> {
    for (const state of this.#candidates()) {
      state.isTried = true;
      try {
        const connection = await this.#connect(state.host);
        state.failedAt = Number.NEGATIVE_INFINITY;
        return connection;
      } catch (error) {
        state.failedAt = this.#now();
        this.#lastError = error;
      } finally {
        state.isTried = false;
      }
    }
    throw this.#lastError;
  }

  *#candidates(): Generator<HostState> {
    const untilAvoided = this.#now() - AVOIDED_MS;
    const good = this.#states.filter(({ failedAt }) => failedAt <= untilAvoided);
    yield* good;
    for (const state of this.#states) {
      // One attempt at a time at a host that has failed: it may take until the time limit.
      if (!good.includes(state) && !state.isTried && state.failedAt <= this.#now() - RETRY_MS) yield state;
    }
  }
}
