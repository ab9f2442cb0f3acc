import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Alarm } from '../../kernel/alarm.ts';
import { isFailure } from '../outbox/outcomes.ts';
import { loadDeliveries, selectDueOfEndpoints } from '../outbox/queue.ts';
import { type AttemptServices, attemptDelivery, postponed } from './attempt.ts';
import type { FailingEndpoints } from './circuits.ts';
import type { Job } from './endpoint-queue.ts';
import type { Lanes } from './endpoint-queues.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { OutcomeWriter } from './outcome-writer.ts';
import { QueueScanner } from './queue-scanner.ts';

export interface DeliveryLoopOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly alarm: Alarm;
  readonly lanes: Lanes;
  readonly failing: FailingEndpoints;
  readonly leases: LeaseKeeper;
  readonly outcomes: OutcomeWriter;
  readonly services: AttemptServices;
  /** How often the whole queue is looked at without a hint, in ms, and how often what fell due of late. */
  readonly pollMs: number;
  readonly glanceMs: number;
  /** What is scheduled until then is due. */
  dueBy(): number;
}

/** How many deliveries one query loads. */
const LOAD = 100;
/** How many endpoints one query asks for more; for how many of each, by what it may have under way; and for how many in all. */
const HUNGRY = 64;
const REFILL_PER_PLACE = 16;
const REFILL = 4_096;
/** What was loaded longer ago than this, in ms, is loaded again: its endpoint may have changed. */
const FRESH_MS = 1_000;
/** Recorded deliveries are remembered for this long, in ms, and up to twice as long: a replica may show them pending. */
const REMEMBER_MS = 5_000;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** With so many outcomes unwritten nothing new is begun: the database is away or too slow. */
const MAX_UNWRITTEN = 1_000;

const UNREADABLE = 'the delivery queue could not be read; trying again';

/** Looks for what is due, loads it, sends it; then sleeps until something happens or the next poll. */
export class DeliveryLoop {
  readonly #options: DeliveryLoopOptions;
  readonly #scanner: QueueScanner;
  #isStopped = false;
  /** Whether to look at what fell due of late, and at the whole queue. */
  #isGlanceWanted = false;
  #isScanWanted = true;
  /** A look at the whole queue is under way: where the queue is long it takes its time, and nothing new waits for it. */
  #scanning: Promise<void> | null = null;
  #scanPause = SHORTEST_PAUSE_MS;
  #nextPoll = 0;
  #nextGlance = 0;
  #nextForget = performance.now() + REMEMBER_MS;
  #held = 0;

  constructor(options: DeliveryLoopOptions) {
    this.#options = options;
    this.#scanner = new QueueScanner(options.db);
  }

  /** Something may have fallen due. */
  wake(): void {
    this.#isGlanceWanted = true;
    this.#options.alarm.ring();
  }

  /** Anything may be due. */
  lookAround(): void {
    this.#isScanWanted = true;
    this.#options.alarm.ring();
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#options.alarm.ring();
  }

  async run(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    while (!this.#isStopped) {
      // A database in this process answers without letting anything else run: timers and sockets need their turn.
      await nextTurn();
      try {
        const didGlance = await this.#look();
        const didRefill = await this.#refill();
        const didLoad = await this.#load();
        // What was held back until the outcomes before it were written.
        this.#startReady();
        // A round that asked the database nothing does not tell that it answers again.
        if (didGlance || didRefill || didLoad) pause = SHORTEST_PAUSE_MS;
        if (didRefill || didLoad) continue;
        await this.#options.alarm.sleep(this.#restMs());
      } catch (error) {
        this.#options.log.warn({ err: error }, UNREADABLE);
        this.#isScanWanted = true;
        await wait(pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
    await this.#scanning;
  }

  /** Resolves to whether it was looked for what fell due of late. */
  async #look(): Promise<boolean> {
    const { lanes, leases, failing, pollMs, dueBy } = this.#options;
    // Before anything of shards that were just won.
    for (const endpointId of await failing.look()) lanes.release(endpointId);
    const shards = leases.shards();
    // A lease that could not be renewed ends without anybody saying so.
    if (shards.length < this.#held) lanes.keepOnly((shard) => leases.tenureOf(shard) !== undefined);
    this.#held = shards.length;

    const now = performance.now();
    if (now >= this.#nextForget && !this.#scanning) {
      lanes.forget();
      this.#nextForget = now + REMEMBER_MS;
    }
    if (now >= this.#nextPoll) this.#isScanWanted = true;
    if (this.#isScanWanted && !this.#scanning && now >= this.#scanner.nextScanAt) {
      this.#isScanWanted = false;
      this.#nextPoll = now + pollMs;
      lanes.unload(now - FRESH_MS);
      this.#scanning = this.#scan(shards);
    }
    if (now >= this.#nextGlance) this.#isGlanceWanted = true;
    if (!this.#isGlanceWanted || now < this.#scanner.nextGlanceAt) return false;
    this.#isGlanceWanted = false;
    this.#nextGlance = now + this.#options.glanceMs;
    const isRestKnown = !this.#isScanWanted && !this.#scanning;
    if (!(await this.#scanner.glance(lanes, shards, dueBy(), isRestKnown))) this.#isScanWanted = true;
    return true;
  }

  async #scan(shards: readonly number[]): Promise<void> {
    const { alarm, dueBy, lanes, log } = this.#options;
    try {
      if (!(await this.#scanner.scan(lanes, shards, dueBy()))) this.#isScanWanted = true;
      this.#scanPause = SHORTEST_PAUSE_MS;
    } catch (error) {
      log.warn({ err: error }, UNREADABLE);
      this.#isScanWanted = true;
      await wait(this.#scanPause);
      this.#scanPause = Math.min(this.#scanPause * 2, LONGEST_PAUSE_MS);
    }
    this.#scanning = null;
    alarm.ring();
  }

  /** Until the next look may begin. */
  #restMs(): number {
    const { pollMs } = this.#options;
    const now = performance.now();
    const glanceAt = this.#isGlanceWanted ? this.#scanner.nextGlanceAt : Math.min(this.#nextGlance, now + pollMs);
    // A scan that is under way rings when it ends.
    if (this.#scanning) return glanceAt - now;
    return Math.min(glanceAt, this.#isScanWanted ? this.#scanner.nextScanAt : this.#nextPoll) - now;
  }

  /** Asks for more of the endpoints that have nothing left here, but more in the queue. Resolves to whether there were any. */
  async #refill(): Promise<boolean> {
    const { db, lanes, dueBy } = this.#options;
    const asking = lanes.hungry(HUNGRY);
    if (asking.length === 0) return false;
    const most = Math.floor(REFILL / asking.length);
    const hungry = asking.map((lane) => ({
      ...lane,
      limit: lane.known + Math.min(REFILL_PER_PLACE * lane.width, most),
    }));
    const rows = await selectDueOfEndpoints(db, hungry, dueBy());
    lanes.offer(rows, false);
    const found = Map.groupBy(rows, (row) => row.endpoint_id);
    for (const { shard, endpointId, limit } of hungry) {
      lanes.fed(shard, endpointId, (found.get(endpointId)?.length ?? 0) === limit);
    }
    // Though there was nothing for these: others may be next.
    return true;
  }

  async #load(): Promise<boolean> {
    const { db, lanes, leases, failing, outcomes, services } = this.#options;
    const picked = outcomes.size < MAX_UNWRITTEN ? lanes.pick(LOAD) : [];
    if (picked.length === 0) return false;
    try {
      await services.deliverer.prepare();
      const tokens = new Map(picked.map(({ queue_shard: shard }) => [shard, leases.tenureOf(shard)?.token]));
      const askedAt = performance.now();
      const rows = await loadDeliveries(db, picked);
      failing.loaded(rows, askedAt);
      const loadedAt = performance.now();
      const jobs: Job[] = [];
      for (const delivery of rows) {
        const token = tokens.get(delivery.queue_shard);
        if (token !== undefined) jobs.push({ delivery, token, loadedAt });
      }
      lanes.loaded(picked, jobs);
    } catch (error) {
      lanes.notLoaded(picked);
      throw error;
    }
    this.#startReady();
    return true;
  }

  #startReady(): void {
    const { lanes, leases } = this.#options;
    if (this.#isStopped) return;
    for (let job = lanes.start(); job; job = lanes.start()) {
      if (leases.tenureOf(job.delivery.queue_shard)?.token !== job.token) lanes.drop(job);
      else if (performance.now() - job.loadedAt > FRESH_MS) lanes.putBack(job);
      else void this.#send(job);
    }
  }

  async #send(job: Job): Promise<void> {
    const { alarm, lanes, failing, log, outcomes, services } = this.#options;
    const { delivery, token } = job;
    const result = await attemptDelivery(delivery, services).catch((error: unknown) => {
      log.error({ err: error, delivery: delivery.id }, 'a delivery could not be attempted; it is postponed');
      return postponed(services.now());
    });
    if (isFailure(result)) failing.failed(delivery.endpoint_id);
    const { answer, status } = result;
    lanes.finish(job, answer && { succeeded: status === 'succeeded', durationMs: answer.durationMs });
    outcomes.add({ delivery, token, ...result }, lanes.running === 0);
    this.#startReady();
    alarm.ring();
  }
}
