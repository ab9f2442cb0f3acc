import { isAnswer } from './errors.ts';

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
  /** Its last failure; undefined while it works. */
  error: unknown;
  failedAt: number;
  /** Attempts in progress. */
  attempts: number;
}

/** Connects to the first of several hosts that works, in their order. Remembers for some seconds which have failed. */
export class HostList<C> {
  readonly #states: readonly HostState[];
  readonly #connect: (host: Host) => Promise<C>;
  readonly #now: () => number;
  #lastError: unknown;

  constructor(hosts: readonly Host[], connect: (host: Host) => Promise<C>, now = () => performance.now()) {
    this.#states = hosts.map((host) => ({ host, error: undefined, failedAt: Number.NEGATIVE_INFINITY, attempts: 0 }));
    this.#connect = connect;
    this.#now = now;
  }

  /** @throws the answer of a host that accepts no changes, or else the error of the last attempt, when no host works */
  async connect(): Promise<C> {
    for (const state of this.#candidates()) {
      state.attempts++;
      try {
        const connection = await this.#connect(state.host);
        state.failedAt = Number.NEGATIVE_INFINITY;
        state.error = undefined;
        return connection;
      } catch (error) {
        state.failedAt = this.#now();
        state.error = error;
        this.#lastError = error;
      } finally {
        state.attempts--;
      }
    }
    throw this.#states.map(({ error }) => error).find(isAnswer) ?? this.#lastError;
  }

  *#candidates(): Generator<HostState> {
    const untilAvoided = this.#now() - AVOIDED_MS;
    const good = this.#states.filter(({ failedAt }) => failedAt <= untilAvoided);
    const postponed: HostState[] = [];
    for (const state of good) {
      // While one caller tries a host that has failed, the others try the next: the attempt may take until the time limit.
      if (isProbed(state)) postponed.push(state);
      else yield state;
    }
    // No other host works, and the attempt of the other caller has not failed yet.
    for (const state of postponed) if (state.failedAt <= untilAvoided) yield state;
    for (const state of this.#states) {
      if (!good.includes(state) && state.attempts === 0 && state.failedAt <= this.#now() - RETRY_MS) yield state;
    }
  }
}

function isProbed({ failedAt, attempts }: HostState): boolean {
  return attempts > 0 && failedAt !== Number.NEGATIVE_INFINITY;
}
