import type { LoadedDelivery, QueuedDelivery } from './queue.ts';

export interface LaneLimits {
  /** Deliveries under way to one endpoint. */
  readonly perEndpoint: number;
  /** Deliveries under way in all. */
  readonly inFlight: number;
}

/** A delivery ready to be sent, loaded under a tenure of its shard. */
export interface Job {
  readonly delivery: LoadedDelivery;
  readonly token: number;
  /** By the monotonic clock. What is said of the endpoint may be wrong soon after. */
  readonly loadedAt: number;
}

/** The deliveries of one endpoint that this process knows of, in the order to send them. */
interface Lane {
  readonly shard: number;
  readonly endpointId: string;
  waiting: QueuedDelivery[];
  ready: Job[];
  loading: number;
  running: number;
  /** Ended, but still pending in the database. */
  unrecorded: number;
  /** Sent since some were last loaded: the pace by which more are loaded ahead. */
  sent: number;
  ahead: number;
  /** The queue may have more of it than we know. */
  more: boolean;
}

/** How many deliveries of an endpoint are remembered while they wait; the queue has the rest. */
const MAX_WAITING = 256;
/** Loaded deliveries beyond those under way, over all endpoints: what is sent while the next are being loaded. */
const READY_AHEAD = 400;
/** Loaded deliveries of one endpoint beyond those that can begin at once. */
const READY_AHEAD_EACH = 112;

/**
 * What this process knows of the queue. It gives every endpoint its turn, and never gives the same delivery out
 * twice: a row stays known until its outcome is written, and a while longer, for a read that began before.
 */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes with something waiting, and lanes with something ready, the next one first. */
  readonly #toLoad = new Set<Lane>();
  readonly #toStart = new Set<Lane>();
  readonly #known = new Set<string>();
  readonly #busyShards = new Map<number, number>();
  #recent = new Set<string>();
  #older = new Set<string>();
  #ahead = 0;
  #running = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Deliveries known and not recorded. */
  get size(): number {
    return this.#known.size;
  }

  /** Deliveries under way. */
  get running(): number {
    return this.#running;
  }

  /** Deliveries loaded, begun or unrecorded in a shard. */
  busyIn(shard: number): number {
    return this.#busyShards.get(shard) ?? 0;
  }

  /** Adds what was found in the queue. `cut`: there may be more of these endpoints. */
  offer(rows: readonly QueuedDelivery[], cut: boolean): void {
    for (const row of rows) {
      const lane = this.#laneOf(row);
      if (cut) lane.more = true;
      if (this.#known.has(row.id) || this.#recent.has(row.id) || this.#older.has(row.id)) continue;
      if (lane.waiting.length >= MAX_WAITING) {
        lane.more = true;
        continue;
      }
      this.#known.add(row.id);
      const last = lane.waiting.at(-1);
      lane.waiting.push(row);
      // Late commits come with earlier times.
      if (last && inOrder(row, last) < 0) lane.waiting.sort(inOrder);
      this.#toLoad.add(lane);
    }
  }

  /** Forgets what had been recorded before the last call. Never while a read of the queue is under way. */
  forget(): void {
    this.#older = this.#recent;
    this.#recent = new Set();
  }

  /** Endpoints that will soon have nothing to send though the queue may have more of them. */
  hungry(max: number): { readonly shard: number; readonly endpointId: string; readonly known: number }[] {
    const found = [];
    for (const lane of this.#lanes.values()) {
      if (!lane.more || lane.waiting.length > 0 || this.#roomOf(lane) === 0) continue;
      found.push({
        shard: lane.shard,
        endpointId: lane.endpointId,
        known: lane.loading + lane.ready.length + lane.running + lane.unrecorded,
      });
      if (found.length === max) break;
    }
    return found;
  }

  /** The queue has been asked for a hungry endpoint: whether it may have still more. */
  fed(shard: number, endpointId: string, more: boolean): void {
    const lane = this.#lanes.get(endpointId);
    if (lane?.shard !== shard) return;
    lane.more = more;
    this.#dropIfEmpty(lane);
  }

  /** Up to `max` waiting deliveries to load, one endpoint after the other. */
  pick(max: number): QueuedDelivery[] {
    const picked: QueuedDelivery[] = [];
    const limit = Math.min(max, this.#limits.inFlight - this.#running + READY_AHEAD - this.#ahead);
    let round: { readonly lane: Lane; room: number }[] = [];
    for (const lane of this.#toLoad) {
      if (round.length >= limit) break;
      const room = this.#roomOf(lane);
      if (room > 0) round.push({ lane, room });
    }
    for (const { lane } of round) {
      lane.ahead = paceOf(lane);
      lane.sent = 0;
      // The next pick begins with those that this one leaves out.
      this.#toLoad.delete(lane);
      this.#toLoad.add(lane);
    }
    while (round.length > 0) {
      for (const turn of round) {
        const row = picked.length < limit ? turn.lane.waiting.shift() : undefined;
        turn.room = row ? turn.room - 1 : 0;
        if (!row) continue;
        picked.push(row);
        turn.lane.loading++;
        this.#ahead++;
        this.#count(turn.lane.shard, 1);
        if (turn.lane.waiting.length === 0) this.#toLoad.delete(turn.lane);
      }
      round = round.filter(({ room }) => room > 0);
    }
    return picked;
  }

  /** What came of loading the picked deliveries; one that is pending no more is forgotten. */
  loaded(picked: readonly QueuedDelivery[], jobs: readonly Job[]): void {
    const byId = new Map(jobs.map((job) => [job.delivery.id, job]));
    for (const row of picked) {
      const lane = this.#laneOf(row);
      const job = byId.get(row.id);
      lane.loading--;
      if (job) {
        lane.ready.push(job);
        this.#toStart.add(lane);
      } else {
        this.#ahead--;
        this.#count(lane.shard, -1);
        this.#known.delete(row.id);
        this.#dropIfEmpty(lane);
      }
    }
  }

  /** Loading failed: the deliveries wait again. */
  notLoaded(picked: readonly QueuedDelivery[]): void {
    for (const row of picked) {
      const lane = this.#laneOf(row);
      lane.loading--;
      this.#wait(lane, row);
    }
  }

  /** The next delivery to send, now under way; undefined when there is none or no room. */
  start(): Job | undefined {
    if (this.#running >= this.#limits.inFlight) return undefined;
    for (const lane of this.#toStart) {
      this.#toStart.delete(lane);
      if (lane.running >= this.#limits.perEndpoint) continue;
      const job = lane.ready.shift();
      if (!job) continue;
      if (lane.ready.length > 0) this.#toStart.add(lane);
      lane.running++;
      this.#running++;
      this.#ahead--;
      return job;
    }
    return undefined;
  }

  /** The delivery is under way no more; its outcome is yet to be written. */
  finish(job: Job): void {
    const lane = this.#end(job);
    lane.unrecorded++;
    lane.sent++;
  }

  /** What was loaded before a moment and cannot begin waits again: it would hold the room of others. */
  unload(before: number): void {
    for (const lane of this.#lanes.values()) {
      if (lane.running < this.#limits.perEndpoint) continue;
      const stale = lane.ready.filter(({ loadedAt }) => loadedAt < before);
      if (stale.length === 0) continue;
      lane.ready = lane.ready.filter(({ loadedAt }) => loadedAt >= before);
      for (const { delivery } of stale) this.#wait(lane, delivery);
    }
  }

  /** A delivery that was given out is not sent after all: it is loaded again. */
  putBack(job: Job): void {
    this.#ahead++;
    this.#wait(this.#end(job), job.delivery);
  }

  /** A delivery that was given out is not ours to send any more: it is as if it had never been seen. */
  drop(job: Job): void {
    const lane = this.#end(job);
    this.#known.delete(job.delivery.id);
    this.#count(lane.shard, -1);
    this.#dropIfEmpty(lane);
  }

  /** The outcome is written, or somebody else's. `isOver`: the delivery is not to be seen again, even if a read shows it. */
  recorded(delivery: QueuedDelivery, isOver: boolean): void {
    const lane = this.#laneOf(delivery);
    lane.unrecorded--;
    this.#known.delete(delivery.id);
    if (isOver) this.#recent.add(delivery.id);
    this.#count(lane.shard, -1);
    this.#dropIfEmpty(lane);
  }

  /** Lets go of whatever is not under way in shards that are not ours any more. */
  keepOnly(isOurs: (shard: number) => boolean): void {
    for (const lane of this.#lanes.values()) {
      if (isOurs(lane.shard)) continue;
      for (const { id } of lane.waiting) this.#known.delete(id);
      for (const { delivery } of lane.ready) {
        this.#known.delete(delivery.id);
        this.#count(lane.shard, -1);
        this.#ahead--;
      }
      lane.waiting = [];
      lane.ready = [];
      lane.more = false;
      this.#toLoad.delete(lane);
      this.#toStart.delete(lane);
      this.#dropIfEmpty(lane);
    }
  }

  #end({ delivery }: Job): Lane {
    const lane = this.#laneOf(delivery);
    lane.running--;
    this.#running--;
    if (lane.ready.length > 0) this.#toStart.add(lane);
    return lane;
  }

  #laneOf({ endpoint_id: endpointId, queue_shard: shard }: QueuedDelivery): Lane {
    let lane = this.#lanes.get(endpointId);
    if (!lane) {
      lane = {
        shard,
        endpointId,
        waiting: [],
        ready: [],
        loading: 0,
        running: 0,
        unrecorded: 0,
        sent: 0,
        ahead: 0,
        more: false,
      };
      this.#lanes.set(endpointId, lane);
    }
    return lane;
  }

  /**
   * How many more to load: what can begin at once, and ahead of that by the pace of the endpoint, so that a fast one
   * never waits for the database and a slow one holds nothing. Few are loaded often only where few are waiting.
   */
  #roomOf(lane: Lane): number {
    const free = this.#limits.perEndpoint - lane.running;
    const wanted = free + (lane.sent > 0 ? Math.max(lane.ahead, paceOf(lane)) : 0);
    const have = lane.loading + lane.ready.length;
    return have > wanted / 2 ? 0 : wanted - have;
  }

  #wait(lane: Lane, row: QueuedDelivery): void {
    this.#ahead--;
    this.#count(lane.shard, -1);
    lane.waiting.push(row);
    lane.waiting.sort(inOrder);
    this.#toLoad.add(lane);
  }

  #count(shard: number, change: number): void {
    const count = this.busyIn(shard) + change;
    if (count === 0) this.#busyShards.delete(shard);
    else this.#busyShards.set(shard, count);
  }

  #dropIfEmpty(lane: Lane): void {
    const { loading, running, unrecorded } = lane;
    if (lane.more || loading + running + unrecorded + lane.ready.length + lane.waiting.length > 0) return;
    this.#lanes.delete(lane.endpointId);
    this.#toLoad.delete(lane);
    this.#toStart.delete(lane);
  }
}

function paceOf({ sent }: Lane): number {
  return Math.min(sent * 2, READY_AHEAD_EACH);
}

function inOrder(a: QueuedDelivery, b: QueuedDelivery): number {
  return a.scheduled_at - b.scheduled_at || (a.id < b.id ? -1 : 1);
}
