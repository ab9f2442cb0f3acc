import { type Clock, pause } from '../call/clock.ts';

/** A renewal that runs, shared by the calls that wait for it. */
export interface Flight {
  /** Id of its mark in the store. */
  readonly id: string;
  readonly done: Promise<void>;
  /** Returns its result, or null while it runs. */
  outcome(): { readonly error?: unknown } | null;
  /** Returns its number of signs of life, or null if it gives none. */
  beats(): number | null;
}

/** Milliseconds between two signs of life. */
const BEAT = 500;
/** Milliseconds between two looks at a flight of another request, and looks without a sign of life until it is dead. */
const LOOK = 50;
const LOOKS = 60;

/** Starts a renewal. With `beats`, {@link outlast} recognizes that the runtime stopped it. */
export function startFlight(run: (id: string) => Promise<void>, clock: Clock, beats: boolean): Flight {
  const id = clock.uuid();
  let outcome: { readonly error?: unknown } | null = null;
  let count = 0;
  let stop = (): void => {};
  const beat = (): void => {
    count++;
    stop = clock.after(BEAT, beat);
  };
  if (beats) beat();
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
  return { id, done, outcome: () => outcome, beats: () => (beats ? count : null) };
}

/**
 * Waits for a flight of another request. Its promise is not awaited: if the runtime stops that request, it never
 * settles. Its timers stop too, which shows that it is dead. Looks are counted, not time: after a pause of the whole
 * process a flight is alive.
 * Returns false if the flight is dead.
 * @throws the error of the flight
 */
export async function outlast(flight: Flight, clock: Clock): Promise<boolean> {
  let seen = flight.beats();
  for (let looks = 0; ; looks++) {
    const outcome = flight.outcome();
    if (outcome !== null) {
      if ('error' in outcome) throw outcome.error;
      return true;
    }
    const beats = flight.beats();
    if (beats !== seen) looks = 0;
    else if (beats !== null && looks >= LOOKS) return false;
    seen = beats;
    await pause(clock, LOOK);
  }
}
