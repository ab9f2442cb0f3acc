/** What this process has seen of an endpoint, and how many deliveries it may have under way for it. */
export interface Standing {
  width: number;
  /** Whether its last attempt succeeded, and soon. Nothing good is known of a new one. */
  isGood: boolean;
  hasFailed: boolean;
}

/** What came of one attempt. */
export interface Attempted {
  readonly succeeded: boolean;
  readonly durationMs: number;
}

/** With this many deliveries under way an endpoint begins that nothing is known of. */
const FIRST_WIDTH = 4;
/** Who takes longer than this, in ms, holds places that others could use. */
const SOON_MS = 1_000;
/** So many endpoints are remembered, those that were last delivered to. */
const REMEMBERED = 10_000;

/** Remembers the standing of endpoints beyond the moment when nothing of theirs is left to send. */
export class Standings {
  readonly #most: number;
  readonly #byEndpoint = new Map<string, Standing>();

  constructor(perEndpoint: number) {
    this.#most = perEndpoint;
  }

  of(endpointId: string): Standing {
    const known = this.#byEndpoint.get(endpointId);
    const standing = known ?? { width: Math.min(FIRST_WIDTH, this.#most), isGood: false, hasFailed: false };
    // To the end: the first one is the one not asked for the longest.
    if (known) this.#byEndpoint.delete(endpointId);
    this.#byEndpoint.set(endpointId, standing);
    if (this.#byEndpoint.size > REMEMBERED) {
      for (const oldest of this.#byEndpoint.keys()) {
        this.#byEndpoint.delete(oldest);
        break;
      }
    }
    return standing;
  }

  /** As TCP does it: half as many after a failure, down to one, and twice as many after a success. */
  judge(standing: Standing, { succeeded, durationMs }: Attempted): void {
    standing.width = succeeded ? Math.min(standing.width * 2, this.#most) : Math.max(1, Math.floor(standing.width / 2));
    standing.isGood = succeeded && durationMs <= SOON_MS;
    standing.hasFailed = !succeeded;
  }
}
