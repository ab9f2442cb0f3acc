import type { LoadedDelivery, QueuedDelivery } from '../outbox/queue.ts';
import { type Attempted, Standings } from './adaptive-limits.ts';
import {
  enqueue,
  inHand,
  isEmpty,
  type Job,
  type Lane,
  newLane,
  roomOf,
  setPace,
  type Tenant,
} from './endpoint-queue.ts';
import { KnownDeliveries } from './known-deliveries.ts';
import { Targets } from './target-limits.ts';

export interface LaneLimits {
  /** Deliveries under way to one endpoint. */
  readonly perEndpoint: number;
  /** Concurrency limit at one host and port, for production tenants; half of `inFlight` when absent. */
  readonly perTarget?: number;
  /** Deliveries under way in all. */
  readonly inFlight: number;
}

/** What holds back deliveries to endpoints that fail. */
export interface Brake {
  /** Nothing of it is to be loaded or sent. */
  isPaused(endpointId: string): boolean;
  /** How many deliveries may be under way to it. */
  mostUnderWay(endpointId: string): number;
}

const NO_BRAKE: Brake = { isPaused: () => false, mostUnderWay: () => Number.POSITIVE_INFINITY };

/** How many deliveries of an endpoint are remembered while they wait; the queue has the rest. */
const MAX_WAITING = 256;
/** And how many when this process remembers this many of all endpoints: memory stays small whatever the backlog. */
const MAX_WAITING_OF_MANY = 16;
const MANY = 10_000;
/** Loaded deliveries beyond those under way, over all endpoints: what is sent while the next are being loaded. */
const READY_AHEAD = 400;
/**
 * A failure costs many times what a success does, and those of dead hosts come at once. So one load takes along so many
 * endpoints whose last attempt failed, and with so many failures unrecorded nothing more is sent to them.
 */
const FAILING_A_LOAD = 4;
const FAILURES_AT_ONCE = 4;

/** An endpoint to ask the queue for. */
export interface HungryLane {
  readonly shard: number;
  readonly endpointId: string;
  /** How many it may have under way. */
  readonly width: number;
  /** How many of its deliveries are known and still in the queue: those come first. */
  readonly known: number;
}

/**
 * What this process knows of the queue. It gives every endpoint its turn, and never gives the same delivery out
 * twice: a row stays known until its outcome is written, and a while longer, for a read that began before.
 *
 * An attempt may hold its place for ten seconds, so places are shared out with care: a tenant has no more of them than it
 * leaves free, so that a hanging endpoint cannot exhaust the pool; endpoints without a recent success share half of all. Each
 * host and port has a concurrency limit of its own over all endpoints and tenants.
 */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #brake: Brake;
  readonly #standings: Standings;
  readonly #targets: Targets;
  readonly #lanes = new Map<string, Lane>();
  readonly #tenants = new Map<string, Tenant>();
  /** Lanes with something waiting, and lanes with something ready, the next one first. */
  readonly #toLoad = new Set<Lane>();
  readonly #toStart = new Set<Lane>();
  readonly #known = new KnownDeliveries();
  readonly #busyShards = new Map<number, number>();
  #ahead = 0;
  #running = 0;
  /** Under way to endpoints that are not in good standing. */
  #doubtful = 0;
  /** What has failed and is not recorded. */
  readonly #failures = new Set<string>();

  constructor(limits: LaneLimits, brake = NO_BRAKE) {
    this.#limits = limits;
    this.#brake = brake;
    this.#standings = new Standings(limits.perEndpoint);
    this.#targets = new Targets(Math.max(1, limits.perTarget ?? Math.floor(limits.inFlight / 2)));
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
    const most = this.#known.size < MANY ? MAX_WAITING : MAX_WAITING_OF_MANY;
    for (const row of rows) {
      if (this.#brake.isPaused(row.endpoint_id)) continue;
      const isNew = !this.#known.has(row.id);
      if (!isNew && !cut) continue;
      const lane = this.#laneOf(row);
      if (cut || lane.waiting.length >= most) lane.more = true;
      if (!isNew || lane.waiting.length >= most) continue;
      this.#known.add(row.id);
      enqueue(lane, row);
      this.#toLoad.add(lane);
    }
  }

  /**
   * Adds what was found of late. What the queue may have more of gets it in order, when it is asked for: of endpoints
   * that were cut, and of unknown ones while not all of the queue was seen.
   */
  offerLate(rows: readonly QueuedDelivery[], isRestKnown: boolean): void {
    const next: QueuedDelivery[] = [];
    for (const row of rows) {
      if (this.#brake.isPaused(row.endpoint_id)) continue;
      if (!isRestKnown && !this.#lanes.has(row.endpoint_id)) this.#laneOf(row).more = true;
      if (!this.#lanes.get(row.endpoint_id)?.more) next.push(row);
    }
    this.offer(next, false);
  }

  /** Forgets what had been recorded before the last call. Never while a read of the queue is under way. */
  forget(): void {
    this.#known.forget();
  }

  /**
   * Endpoints that will soon have nothing to send though the queue may have more of them. Those that fail come last, and no
   * more of them than one load takes: however many are dead, a new delivery elsewhere does not wait for what is read of them.
   */
  hungry(max: number): HungryLane[] {
    const found: Lane[] = [];
    const failing: Lane[] = [];
    for (const lane of this.#lanes.values()) {
      if (!lane.more || lane.waiting.length > 0 || this.#roomOf(lane) === 0) continue;
      if (!lane.standing.hasFailed) found.push(lane);
      else if (failing.length < FAILING_A_LOAD) failing.push(lane);
      if (found.length === max) break;
    }
    return [...found, ...failing].slice(0, max).map((lane) => ({
      shard: lane.shard,
      endpointId: lane.endpointId,
      width: this.#widthOf(lane),
      known: inHand(lane) + lane.running + lane.unrecorded,
    }));
  }

  /** The queue has been asked for a hungry endpoint: whether it may have still more. */
  fed(shard: number, endpointId: string, more: boolean): void {
    const lane = this.#lanes.get(endpointId);
    if (lane?.shard !== shard) return;
    lane.more = more;
    // To the end, so that the next ones asked for are others.
    this.#lanes.delete(endpointId);
    this.#lanes.set(endpointId, lane);
    this.#dropIfEmpty(lane);
  }

  /** Up to `max` waiting deliveries to load, one endpoint after the other. */
  pick(max: number): QueuedDelivery[] {
    const picked: QueuedDelivery[] = [];
    const places = this.#limits.inFlight - this.#running + READY_AHEAD;
    const limit = Math.min(max, places - this.#ahead);
    let failing = 0;
    let round: { readonly lane: Lane; room: number }[] = [];
    for (const lane of this.#toLoad) {
      if (round.length >= limit) break;
      const { hasFailed } = lane.standing;
      const room = hasFailed && failing === FAILING_A_LOAD ? 0 : this.#roomOf(lane);
      if (room === 0) continue;
      round.push({ lane, room });
      if (hasFailed) failing++;
    }
    for (const { lane } of round) {
      setPace(lane);
      // The next pick begins with those that this one leaves out.
      this.#toLoad.delete(lane);
      this.#toLoad.add(lane);
    }
    while (round.length > 0) {
      for (const turn of round) {
        const { lane } = turn;
        const mayLoad = (inHand(lane) === 0 || lane.tenant.ahead < places - this.#ahead) && hasRoomAhead(lane);
        const row = mayLoad && picked.length < limit ? lane.waiting.shift() : undefined;
        turn.room = row ? turn.room - 1 : 0;
        if (!row) continue;
        picked.push(row);
        lane.loading++;
        this.#hold(lane, 1);
        this.#count(lane.shard, 1);
        if (lane.waiting.length === 0) this.#toLoad.delete(lane);
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
      if (job) this.#setTarget(lane, job.delivery);
      lane.loading--;
      if (job && lane.target && lane.target.ahead > lane.target.width) {
        // The target was unknown when the delivery was picked, and has no room: others are loaded in its place.
        this.#wait(lane, row);
      } else if (job && !this.#brake.isPaused(row.endpoint_id)) {
        lane.ready.push(job);
        this.#toStart.add(lane);
      } else {
        this.#hold(lane, -1);
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
      const isFull = lane.running >= this.#widthOf(lane);
      if (!isFull && !this.#isWithinShare(lane)) continue;
      // One that is full comes back when a delivery of its own ends.
      this.#toStart.delete(lane);
      const job = isFull ? undefined : lane.ready.shift();
      if (!job) continue;
      if (lane.ready.length > 0) this.#toStart.add(lane);
      this.#hold(lane, -1);
      this.#run(lane, 1);
      return job;
    }
    return undefined;
  }

  /** The delivery is under way no more; its outcome is yet to be written. `attempted` is null when nothing was sent. */
  finish(job: Job, attempted: Attempted | null): void {
    const lane = this.#end(job);
    lane.unrecorded++;
    lane.sent++;
    if (!attempted) return;
    if (!attempted.succeeded) this.#failures.add(job.delivery.id);
    if (lane.target) this.#targets.judge(lane.target, attempted);
    this.#judge(lane, attempted);
  }

  /** What was loaded before a moment and cannot begin waits again: it would hold the room of others. */
  unload(before: number): void {
    for (const lane of this.#lanes.values()) {
      if (lane.running < this.#widthOf(lane) && this.#isWithinShare(lane)) continue;
      const stale = lane.ready.filter(({ loadedAt }) => loadedAt < before);
      if (stale.length === 0) continue;
      lane.ready = lane.ready.filter(({ loadedAt }) => loadedAt >= before);
      for (const { delivery } of stale) this.#wait(lane, delivery);
    }
  }

  /** A delivery that was given out is not sent after all: it is loaded again. */
  putBack(job: Job): void {
    const lane = this.#end(job);
    this.#hold(lane, 1);
    this.#wait(lane, job.delivery);
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
    this.#failures.delete(delivery.id);
    // It may have been held back until this was known.
    if (lane.ready.length > 0) this.#toStart.add(lane);
    if (isOver) this.#known.end(delivery.id);
    else this.#known.delete(delivery.id);
    this.#count(lane.shard, -1);
    this.#dropIfEmpty(lane);
  }

  /** Lets go of whatever is not under way in shards that are not ours any more. */
  keepOnly(isOurs: (shard: number) => boolean): void {
    for (const lane of this.#lanes.values()) {
      if (!isOurs(lane.shard)) this.#letGo(lane);
    }
  }

  /** Lets go of whatever is not under way to an endpoint: it is paused, and the queue keeps the rest. */
  release(endpointId: string): void {
    const lane = this.#lanes.get(endpointId);
    if (lane) this.#letGo(lane);
  }

  #letGo(lane: Lane): void {
    for (const { id } of lane.waiting) this.#known.delete(id);
    for (const { delivery } of lane.ready) {
      this.#known.delete(delivery.id);
      this.#count(lane.shard, -1);
      this.#hold(lane, -1);
    }
    lane.waiting = [];
    lane.ready = [];
    lane.more = false;
    this.#toLoad.delete(lane);
    this.#toStart.delete(lane);
    this.#dropIfEmpty(lane);
  }

  #end({ delivery }: Job): Lane {
    const lane = this.#laneOf(delivery);
    this.#run(lane, -1);
    if (lane.ready.length > 0) this.#toStart.add(lane);
    return lane;
  }

  #laneOf(row: QueuedDelivery): Lane {
    let lane = this.#lanes.get(row.endpoint_id);
    if (!lane) {
      lane = newLane(row, this.#tenantOf(row.tenant_id), this.#standings.of(row.endpoint_id));
      lane.tenant.lanes++;
      this.#lanes.set(row.endpoint_id, lane);
    }
    return lane;
  }

  #tenantOf(id: string): Tenant {
    let tenant = this.#tenants.get(id);
    if (!tenant) {
      tenant = { id, lanes: 0, running: 0, doubtful: 0, ahead: 0 };
      this.#tenants.set(id, tenant);
    }
    return tenant;
  }

  /** Whether one more of the endpoint leaves enough for others. */
  #isWithinShare({ running, standing, tenant, target }: Lane): boolean {
    const { inFlight } = this.#limits;
    if (target && target.running >= target.width) return false;
    if (standing.hasFailed && this.#failures.size >= FAILURES_AT_ONCE) return false;
    if (!standing.isGood) return tenant.doubtful < inFlight / 2 - this.#doubtful;
    // What hangs elsewhere in its tenant does not keep an endpoint from its first one.
    return running === 0 || tenant.running < inFlight - this.#running;
  }

  /** One that has sent nothing since it was last loaded, and may begin nothing, needs nothing. */
  #roomOf(lane: Lane): number {
    if (!hasRoomAhead(lane)) return 0;
    return lane.sent > 0 || this.#isWithinShare(lane) ? roomOf(lane, this.#widthOf(lane)) : 0;
  }

  #widthOf({ standing, endpointId, target }: Lane): number {
    const perEndpoint = target?.perEndpoint ?? Number.POSITIVE_INFINITY;
    return Math.min(standing.width, perEndpoint, this.#brake.mostUnderWay(endpointId));
  }

  #judge(lane: Lane, attempted: Attempted): void {
    this.#occupy(lane, -lane.running);
    this.#standings.judge(lane.standing, attempted);
    this.#occupy(lane, lane.running);
  }

  #run(lane: Lane, change: 1 | -1): void {
    lane.running += change;
    lane.tenant.running += change;
    if (lane.target) lane.target.running += change;
    this.#running += change;
    this.#occupy(lane, change);
  }

  #occupy({ standing, tenant }: Lane, change: number): void {
    if (standing.isGood) return;
    tenant.doubtful += change;
    this.#doubtful += change;
  }

  #hold({ tenant, target }: Lane, change: 1 | -1): void {
    tenant.ahead += change;
    if (target) target.ahead += change;
    this.#ahead += change;
  }

  /** The URL of an endpoint may change: what is loaded and in flight then counts for the new target. */
  #setTarget(lane: Lane, { url, tenant_sandbox }: LoadedDelivery): void {
    const target = url ? this.#targets.of(url, tenant_sandbox === 1) : null;
    if (target === lane.target) return;
    for (const [one, sign] of [
      [lane.target, -1],
      [target, 1],
    ] as const) {
      if (!one) continue;
      one.running += sign * lane.running;
      one.ahead += sign * inHand(lane);
    }
    lane.target = target;
  }

  #wait(lane: Lane, row: QueuedDelivery): void {
    this.#hold(lane, -1);
    this.#count(lane.shard, -1);
    if (this.#brake.isPaused(lane.endpointId)) {
      this.#known.delete(row.id);
      this.#dropIfEmpty(lane);
      return;
    }
    enqueue(lane, row);
    this.#toLoad.add(lane);
  }

  #count(shard: number, change: number): void {
    const count = this.busyIn(shard) + change;
    if (count === 0) this.#busyShards.delete(shard);
    else this.#busyShards.set(shard, count);
  }

  #dropIfEmpty(lane: Lane): void {
    if (!isEmpty(lane)) return;
    this.#lanes.delete(lane.endpointId);
    this.#toLoad.delete(lane);
    this.#toStart.delete(lane);
    if (--lane.tenant.lanes === 0) this.#tenants.delete(lane.tenant.id);
  }
}

/** As many deliveries are loaded ahead for a target as may be in flight to it: more would only hold up others. */
function hasRoomAhead({ target }: Lane): boolean {
  return target === null || target.ahead < target.width;
}
