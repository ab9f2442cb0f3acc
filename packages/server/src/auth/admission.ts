import { hash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ApiError } from '../kernel/api-error.ts';
import { count } from '../kernel/meter.ts';

/** Admits work up to the capacity of this process, and shares it between tenants. */
export interface Admission {
  /**
   * Runs work of a tenant. While all slots are taken, the tenant with the fewest running goes first.
   * @throws {@link ApiError} SERVICE_UNAVAILABLE when too many wait
   */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
  /** Stops the measurement of the event loop's delay. */
  close(): void;
}

export interface AdmissionOptions {
  /** Maximum number of running calls. */
  readonly slots: number;
  /** Maximum number of waiting calls of one tenant; defaults to 512. */
  readonly waitingOfTenant?: number;
  /** Maximum number of waiting calls; defaults to 2,048. */
  readonly waiting?: number;
  /** Maximum waiting time in ms; defaults to 10 s. */
  readonly waitMs?: number;
  /** Returns the mean delay of the event loop in ms; measured when absent. */
  readonly loopDelayMs?: () => number;
}

/** Mean delay above which a tenant that already waits for all slots is refused, in ms. */
const MAX_LOOP_DELAY_MS = 250;

type Reason = 'tenant_queue' | 'queue' | 'wait' | 'event_loop';

/** The calls of one tenant. */
interface Calls {
  running: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

export function createAdmission({
  slots,
  waitingOfTenant = 512,
  waiting: maxWaiting = 2_048,
  waitMs = 10_000,
  ...options
}: AdmissionOptions): Admission {
  const delay = options.loopDelayMs ? { mean: options.loopDelayMs, close: () => undefined } : measureDelay();
  // A quarter of the slots is free for tenants other than the busiest.
  const slotsOfTenant = slots - Math.floor(slots / 4);
  const callsOf = new Map<string, Calls>();
  /** Tenants with waiting calls, in the order of their last start. */
  const queued = new Set<Calls>();
  let running = 0;
  let waiting = 0;

  return {
    async run(tenantId, work) {
      const calls = callsOf.get(tenantId) ?? { running: 0, waiting: [] };
      callsOf.set(tenantId, calls);
      try {
        if (calls.waiting.length === 0 && canStart(calls)) begin(calls);
        else await wait(calls);
        try {
          return await work();
        } finally {
          end(calls);
        }
      } finally {
        if (calls.running === 0 && calls.waiting.length === 0) callsOf.delete(tenantId);
      }
    },
    close: delay.close,
  };

  function canStart(calls: Calls): boolean {
    return running < slots && calls.running < slotsOfTenant;
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

  function wait(calls: Calls): Promise<void> {
    if (calls.waiting.length >= waitingOfTenant) throw overloaded('tenant_queue');
    if (waiting >= maxWaiting) throw overloaded('queue');
    if (calls.waiting.length >= slots && delay.mean() > MAX_LOOP_DELAY_MS) throw overloaded('event_loop');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(calls, entry);
        reject(overloaded('wait'));
      }, waitMs);
      const entry: Waiting = { start: resolve, timer };
      calls.waiting.push(entry);
      queued.add(calls);
      waiting++;
    });
  }

  function leave(calls: Calls, entry: Waiting): void {
    clearTimeout(entry.timer);
    calls.waiting.splice(calls.waiting.indexOf(entry), 1);
    if (calls.waiting.length === 0) queued.delete(calls);
    waiting--;
  }

  function startNext(): void {
    let next: Calls | undefined;
    for (const calls of queued) if (canStart(calls) && calls.running < (next?.running ?? slots)) next = calls;
    const [entry] = next?.waiting ?? [];
    if (!next || !entry) return;
    // The last of the tenants with as many running calls.
    queued.delete(next);
    queued.add(next);
    leave(next, entry);
    begin(next);
    entry.start();
  }
}

/** A refusal costs no database work, and is sent at once. */
function overloaded(reason: Reason): ApiError {
  count('plat_http_shed_total', { reason });
  return new ApiError('SERVICE_UNAVAILABLE', 'The server is overloaded and did not begin the request; try again', {
    headers: { 'Retry-After': '1' },
  });
}

/** Returns the mean delay of the event loop over the last one to two seconds. */
function measureDelay() {
  const histogram = monitorEventLoopDelay({ resolution: 50 });
  histogram.enable();
  let last = 0;
  const timer = setInterval(() => {
    last = histogram.count === 0 ? 0 : histogram.mean / 1e6;
    histogram.reset();
  }, 1_000).unref();
  return {
    mean: () => last,
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** The tenants of credentials that this process has found. */
interface KnownTenants {
  /** Returns the tenant of a token; one name for all tokens that were not found yet. */
  of(token: string): string;
  add(token: string, tenantId: string): void;
}

const MAX_KNOWN = 10_000;

export function createKnownTenants(): KnownTenants {
  const known = new Map<string, string>();
  return {
    of: (token) => known.get(hashOf(token)) ?? 'unknown',
    add(token, tenantId) {
      const key = hashOf(token);
      if (known.has(key)) return;
      known.set(key, tenantId);
      const [oldest] = known.size > MAX_KNOWN ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64');
}
