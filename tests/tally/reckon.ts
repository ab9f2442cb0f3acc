import type { Life } from './herd.ts';
import type { LeaseWatch } from './lease-watch.ts';
import type { DeliveryRow, EventRow, Ledger } from './ledger.ts';
import type { Arrival, Temper } from './receivers.ts';
import type { Answered } from './writers.ts';

/** Records of a run. */
export interface Evidence {
  readonly ledger: Ledger;
  readonly arrivals: readonly Arrival[];
  readonly answered: readonly Answered[];
  readonly endpoints: readonly Endpoint[];
  readonly lives: readonly Life[];
  /** Wall-clock time until which due deliveries were awaited. */
  readonly drainedAt: number;
  readonly hadRunOut: LeaseWatch['hadRunOut'];
}

export interface Endpoint {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  readonly temper: Temper;
}

/** Violations of the promises; each must be 0. */
export const FAULTS = {
  unsaved: 'acknowledged, but not in the database',
  eventless: 'in the database, but without an event',
  overdue: 'due at a receiver that answers well, but not sent',
  lost: 'committed, but neither delivered, nor due, nor failed',
  doubled: 'scheduled twice',
  invented: 'arrived, but not committed',
  unanswered: 'recorded with a response that no receiver sent',
  repeated: 'sent again though it was not in flight at a kill',
} as const;
export type Fault = keyof typeof FAULTS;

export interface Tally {
  readonly changes: { readonly answered: number; readonly committed: number };
  /** Deliveries: one per event and endpoint. */
  readonly deliveries: { readonly committed: number } & Record<Fate, number>;
  readonly attempts: {
    readonly arrived: number;
    /** Arrivals of repeated attempts, by reason. */
    readonly again: Readonly<Record<Excuse, number>>;
    /** The response did not reach the sender, so another attempt follows. */
    readonly unheard: number;
  };
  readonly faults: readonly { readonly fault: Fault; readonly what: string }[];
}

/** Final state of a delivery. */
type Fate = 'delivered' | 'due' | 'failed';
/** Reason why an attempt arrived twice. */
type Excuse = 'killed' | 'stalled';

/** Compares the database with the records of the callers and the receivers. */
export function reckon(evidence: Evidence): Tally {
  const { ledger, arrivals, answered } = evidence;
  const faults: { fault: Fault; what: string }[] = [];
  const find = (fault: Fault, what: string): void => void faults.push({ fault, what });
  checkChanges(evidence, find);
  const deliveries = checkDeliveries(evidence, find);
  checkAnswers(evidence, find);
  return {
    changes: { answered: answered.length, committed: ledger.events.length },
    deliveries,
    attempts: { arrived: arrivals.length, again: checkRepeats(evidence, find), unheard: countUnheard(evidence) },
    faults,
  };
}

type Find = (fault: Fault, what: string) => void;

/** Checks that each acknowledged change is in the database, and each change in the database has its event. */
function checkChanges({ ledger, answered }: Evidence, find: Find): void {
  const told = new Set(ledger.events.map(({ clientId, updatedAt }) => `${clientId} ${updatedAt}`));
  const created = new Set(ledger.events.filter(({ type }) => type === 'client.created').map((event) => event.clientId));
  const clients = new Set(ledger.clients.map(({ id }) => id));
  for (const { clientId, updatedAt } of answered) {
    if (!clients.has(clientId)) find('unsaved', `client ${clientId}`);
    else if (!told.has(`${clientId} ${updatedAt}`)) find('eventless', `client ${clientId} of ${updatedAt}`);
  }
  for (const { id, updated_at } of ledger.clients) {
    const at = new Date(updated_at).toISOString();
    if (!created.has(id)) find('eventless', `the creation of client ${id}`);
    if (!told.has(`${id} ${at}`)) find('eventless', `client ${id} of ${at}`);
  }
}

/** Checks that each event has one chain of attempts per endpoint, whose last one is its state. */
function checkDeliveries({ ledger, endpoints, drainedAt }: Evidence, find: Find): Tally['deliveries'] {
  const fates = { delivered: 0, due: 0, failed: 0 };
  const chains = Map.groupBy(ledger.deliveries, ({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`);
  let committed = 0;
  for (const event of ledger.events) {
    for (const endpoint of endpointsOf(event, endpoints)) {
      committed++;
      const name = `${event.id} ${endpoint.id}`;
      const chain = (chains.get(name) ?? []).toSorted((a, b) => a.attempt - b.attempt);
      if (
        chain.some(({ attempt, status }, i) => attempt !== i + 1 || (status === 'retrying') !== i < chain.length - 1)
      ) {
        const attempts = chain.map(({ attempt, status }) => `${attempt} ${status}`).join(', ');
        find(chain.at(-1)?.status === 'retrying' ? 'lost' : 'doubled', `${name}: ${attempts}`);
      }
      const last = chain.at(-1);
      const fate = fateOf(last);
      // The circuit of the others may be open.
      const answersWell = endpoint.temper === 'healthy' || endpoint.temper === 'slow';
      if (fate === 'due' && answersWell && last && last.scheduled_at <= drainedAt) find('overdue', name);
      if (fate) fates[fate]++;
      else if (chain.length === 0) find('lost', name);
    }
  }
  return { committed, ...fates };
}

function endpointsOf({ tenantId }: EventRow, endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.filter((endpoint) => endpoint.tenantId === tenantId);
}

function fateOf(last: DeliveryRow | undefined): Fate | undefined {
  if (last?.status === 'succeeded') return 'delivered';
  if (last?.status === 'pending') return 'due';
  return last?.status === 'failed' ? 'failed' : undefined;
}

/** Checks that each arrival was committed, and that each recorded response was sent. */
function checkAnswers({ ledger, arrivals, endpoints }: Evidence, find: Find): void {
  const events = new Set(ledger.events.map(({ id }) => id));
  const rows = new Map(ledger.deliveries.map((row) => [row.id, row]));
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  for (const { serial, deliveryId, eventId, url } of arrivals) {
    const row = rows.get(deliveryId);
    const isKnown = events.has(eventId) && row?.event_id === eventId && urls.get(row.endpoint_id) === url;
    if (!isKnown) find('invented', `arrival ${serial} of ${deliveryId}, ${eventId} at ${url}`);
  }
  for (const row of ledger.deliveries) {
    if (row.response_status === null && row.status !== 'succeeded') continue;
    const arrival = arrivals[recordedIn(row) - 1];
    const isTrue = arrival?.deliveryId === row.id && arrival.answered === row.response_status;
    if (!isTrue || (row.status === 'succeeded') !== (row.response_status === 200 && row.error === null)) {
      find('unanswered', `${row.id} is ${row.status} with ${row.response_status} ${row.response_body}`);
    }
  }
}

function countUnheard({ ledger, arrivals }: Evidence): number {
  const failed = ledger.deliveries.filter((row) => row.response_status === null && row.status === 'retrying');
  const answered = new Set(arrivals.filter((arrival) => arrival.answered === 200).map(({ deliveryId }) => deliveryId));
  return failed.filter(({ id }) => answered.has(id)).length;
}

/** Returns the number of the arrival whose response a row contains; 0 for none. */
function recordedIn({ response_body: body }: DeliveryRow): number {
  return Number(/^arrival (\d+)$/.exec(body ?? '')?.[1] ?? 0);
}

/**
 * Checks the reason of each repeated attempt. An attempt repeats only when its outcome could not be written. Either its
 * process was killed before the next arrival and the row lacks its response, or the process had stalled for longer than
 * its lease.
 */
function checkRepeats({ ledger, arrivals, lives, hadRunOut }: Evidence, find: Find): Record<Excuse, number> {
  const again = { killed: 0, stalled: 0 };
  const rows = new Map(ledger.deliveries.map((row) => [row.id, row]));
  const senders = new Map(lives.map((life) => [life.serial, life]));
  for (const [deliveryId, same] of Map.groupBy(arrivals, (arrival) => arrival.deliveryId)) {
    const row = rows.get(deliveryId);
    for (const [i, arrival] of same.slice(0, -1).entries()) {
      const next = same[i + 1];
      const sender = senders.get(arrival.sender);
      // Uncommitted arrivals are reported above.
      if (!row || !next) continue;
      const excuse = sender && excuseOf(row, sender, arrival, next);
      const isRecorded = recordedIn(row) === arrival.serial;
      if (excuse === undefined || (excuse === 'killed' && isRecorded)) {
        const why = isRecorded ? 'its outcome was written' : 'its process was not killed before';
        const [first, second] = [arrival, next].map(({ at, sender }) => `at ${at} by process ${sender}`);
        find('repeated', `${deliveryId} ${first}, and ${second}: ${why}`);
      } else again[excuse]++;
    }
  }
  return again;

  function excuseOf(row: DeliveryRow, sender: Life, sent: Arrival, next: Arrival): Excuse | undefined {
    const isOther = sender.serial !== next.sender;
    if (isOther && sender.killedAt !== null && sender.killedAt <= next.at) return 'killed';
    // It may have acquired its lease again, and then sends what it could not record under the first one.
    return hadRunOut(row.endpoint_id, sender, sent, next.at) ? 'stalled' : undefined;
  }
}
