import { ApiError } from '../kernel/api-error.ts';
import { count } from '../kernel/meter.ts';

/** Admits work up to the capacity of this process, and divides it between shares: see `shares.ts` for their names. */
export interface Admission {
  /**
   * Runs work of a share. While all slots are taken, the share with the fewest running calls goes first.
   * @throws {@link ApiError} SERVICE_UNAVAILABLE when too many wait
   */
  run<T>(share: string, work: () => Promise<T>, call?: Call): Promise<T>;
  /** True when a new call of a share would be refused. The caller refuses it, and it is counted. */
  refuses(share: string): boolean;
}

/** Facts about a call before it runs. */
export interface Call {
  /** True after a first part of the call ran: it goes before new calls of its share, and is hardly ever refused. */
  readonly hasBegun?: boolean;
  /** Returns false when the caller has left. */
  readonly isWanted?: () => boolean;
}

export interface AdmissionOptions {
  /** Maximum number of running calls. */
  readonly slots: number;
  /** Maximum number of waiting calls of one share; defaults to 512. */
  readonly waitingOfShare?: number;
  /** Maximum number of waiting calls; defaults to 2,048. Twice as many of those that have begun. */
  readonly waiting?: number;
  /** Maximum waiting time in ms; defaults to 10 s. */
  readonly waitMs?: number;
}

/**
 * A share whose oldest call waits for longer than this has more work than it can be given, in ms. A burst ends sooner; a
 * longer queue would only make every response late.
 */
const STANDING_MS = 1_000;
/**
 * The same for the expected wait of the next call, while calls have waited for less than this without a break. It is
 * longer, because a burst on a slow machine is no overload yet. Afterwards {@link STANDING_MS} applies.
 */
const BURST_MS = 3_000;
/** Number of starts from which on their rate is known, and at which the older half is forgotten. */
const STARTS = { known: 8, most: 64 } as const;

type Reason = 'tenant_queue' | 'queue' | 'wait' | 'standing_queue';

/** The calls of one share. */
interface Calls {
  running: number;
  /** Those that have begun. */
  readonly begun: Set<Waiting>;
  readonly fresh: Set<Waiting>;
  /** Time from which on calls have waited without a break. */
  waitingSince: number;
  /** Start of the measurement of the rate, and the number of waiting calls that have started since. */
  queuedSince: number;
  starts: number;
}

interface Waiting {
  readonly since: number;
  readonly isWanted: () => boolean;
  readonly start: () => void;
  readonly giveUp: (error: ApiError) => void;
  readonly timer: NodeJS.Timeout;
}

const always = (): boolean => true;

export function createAdmission({
  slots,
  waitingOfShare = 512,
  waiting: maxWaiting = 2_048,
  waitMs = 10_000,
}: AdmissionOptions): Admission {
  // A quarter of the slots is free for shares other than the busiest.
  const slotsOfShare = slots - Math.floor(slots / 4);
  const callsOf = new Map<string, Calls>();
  /** Shares with waiting calls, in the order of their last start. */
  const queued = new Set<Calls>();
  let running = 0;
  let waiting = 0;

  return {
    async run(share, work, call = {}) {
      const calls = callsOf.get(share) ?? newCalls();
      callsOf.set(share, calls);
      try {
        if (countWaiting(calls) === 0 && canStart(calls)) begin(calls);
        else await wait(calls, call);
        try {
          return await work();
        } finally {
          end(calls);
        }
      } finally {
        if (calls.running === 0 && countWaiting(calls) === 0) callsOf.delete(share);
      }
    },
    refuses(share) {
      const calls = callsOf.get(share);
      const reason = calls ? reasonAgainst(calls) : waiting >= maxWaiting ? 'queue' : null;
      if (reason) count('plat_http_shed_total', { reason });
      return reason !== null;
    },
  };

  function canStart(calls: Calls): boolean {
    return running < slots && calls.running < slotsOfShare;
  }

  function begin(calls: Calls): void {
    running++;
    calls.running++;
  }

  function end(calls: Calls): void {
    running--;
    calls.running--;
    startNext();
  }

  /** Returns the reason to refuse a new call that would have to wait. */
  function reasonAgainst(calls: Calls): Reason | null {
    if (countWaiting(calls) >= waitingOfShare) return 'tenant_queue';
    if (waiting >= maxWaiting) return 'queue';
    const now = performance.now();
    const [oldest] = calls.fresh;
    if (oldest && now - oldest.since > STANDING_MS) return 'standing_queue';
    if (calls.starts < STARTS.known) return null;
    const expectedMs = (countWaiting(calls) * (now - calls.queuedSince)) / calls.starts;
    const isBurst = now - calls.waitingSince <= BURST_MS;
    return expectedMs > (isBurst ? BURST_MS : STANDING_MS) ? 'standing_queue' : null;
  }

  function wait(calls: Calls, { hasBegun = false, isWanted = always }: Call): Promise<void> {
    const queue = hasBegun ? calls.begun : calls.fresh;
    const reason = hasBegun ? (waiting >= 2 * maxWaiting ? 'queue' : null) : reasonAgainst(calls);
    if (reason) throw overloaded(reason);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(calls, entry);
        reject(overloaded('wait'));
      }, waitMs);
      const since = performance.now();
      if (countWaiting(calls) === 0) Object.assign(calls, { waitingSince: since, queuedSince: since, starts: 0 });
      const entry: Waiting = { since, isWanted, start: resolve, giveUp: reject, timer };
      queue.add(entry);
      queued.add(calls);
      waiting++;
    });
  }

  function leave(calls: Calls, entry: Waiting): void {
    clearTimeout(entry.timer);
    if (!calls.begun.delete(entry)) calls.fresh.delete(entry);
    if (countWaiting(calls) === 0) queued.delete(calls);
    waiting--;
  }

  function startNext(): void {
    for (;;) {
      let next: Calls | undefined;
      for (const calls of queued) if (canStart(calls) && calls.running < (next?.running ?? slots)) next = calls;
      const [entry] = next ? (next.begun.size > 0 ? next.begun : next.fresh) : [];
      if (!next || !entry) return;
      leave(next, entry);
      if (!entry.isWanted()) {
        // There is no reader of the response.
        entry.giveUp(refusal());
        continue;
      }
      // The last of the shares with as many running calls.
      if (queued.delete(next)) queued.add(next);
      begin(next);
      countStart(next);
      entry.start();
      return;
    }
  }
}

function newCalls(): Calls {
  return { running: 0, begun: new Set(), fresh: new Set(), waitingSince: 0, queuedSince: 0, starts: 0 };
}

/** The rate follows a change within the latest starts. */
function countStart(calls: Calls): void {
  calls.starts++;
  if (calls.starts < STARTS.most) return;
  calls.starts /= 2;
  calls.queuedSince += (performance.now() - calls.queuedSince) / 2;
}

function countWaiting({ begun, fresh }: Calls): number {
  return begun.size + fresh.size;
}

/** A refusal costs no database work, and is sent at once. */
function overloaded(reason: Reason): ApiError {
  count('plat_http_shed_total', { reason });
  return refusal();
}

/** Returns the refusal of a call that did not begin. */
export function refusal(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'The server is overloaded and did not begin the request; try again', {
    headers: { 'Retry-After': '1' },
  });
}
