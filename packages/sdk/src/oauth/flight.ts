import { type Clock, pause } from '../call/clock.ts';

/** A renewal that runs, shared by the calls that wait for it. */
export interface Flight {
  /** Id of its mark in the store. */
  readonly id: string;
  readonly done: Promise<void>;
  /** Returns its result, or null while it runs. */
  outcome(): { readonly error?: unknown } | null;
  /** Returns its number of heartbeats, or null if it has none. */
  heartbeats(): number | null;
}

/** Milliseconds between two heartbeats. */
const HEARTBEAT = 500;
/** Milliseconds between two polls of a flight of another request. */
const POLL = 50;
/** Number of polls without a heartbeat after which a flight is dead. */
const POLLS_UNTIL_DEAD = 60;

/** Starts a renewal. With heartbeats, {@link waitForFlight} recognizes that the runtime stopped it. */
export function startFlight(run: (id: string) => Promise<void>, clock: Clock, hasHeartbeats: boolean): Flight {
  const id = clock.uuid();
  let outcome: { readonly error?: unknown } | null = null;
  let count = 0;
  let stop = (): void => {};
  const heartbeat = (): void => {
    count++;
    stop = clock.after(HEARTBEAT, heartbeat);
  };
  if (hasHeartbeats) heartbeat();
  const done = run(id).then(
    () => {
      stop();
      outcome = {};
    },
    (error: unknown) => {
      stop();
      outcome = { error };
      throw error;
    },
  );
  return { id, done, outcome: () => outcome, heartbeats: () => (hasHeartbeats ? count : null) };
}

/**
 * Waits for a flight of another request. Its promise is not awaited: if the runtime stops that request, the promise
 * never settles. Its timers stop too, so a flight without heartbeats is dead. Polls are counted, not time: after a
 * suspension of the whole process a flight is alive.
 * Returns false if the flight is dead.
 * @throws the error of the flight
 */
export async function waitForFlight(flight: Flight, clock: Clock): Promise<boolean> {
  let last = flight.heartbeats();
  for (let polls = 0; ; polls++) {
    const outcome = flight.outcome();
    if (outcome !== null) {
      if ('error' in outcome) throw outcome.error;
      return true;
    }
    const heartbeats = flight.heartbeats();
    if (heartbeats !== last) polls = 0;
    else if (heartbeats !== null && polls >= POLLS_UNTIL_DEAD) return false;
    last = heartbeats;
    await pause(clock, POLL);
  }
}
