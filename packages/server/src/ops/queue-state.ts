import type { Database } from '../db/database.ts';
import { databaseNow, dueNow } from '../db/database-clock.ts';
import { select, selectOne, selectText } from '../db/sql.ts';
import { SHARDS } from '../events/outbox/outbox.ts';

/** The queues and jobs that all processes share. Times are those of the database's clock, in ms. */
export interface QueueState {
  readonly now: number;
  readonly migrations: number;
  /** Due deliveries, with those of paused endpoints; at most {@link MAX_COUNTED} of each shard are counted. */
  readonly due: number;
  /** Age of the oldest due delivery, without paused endpoints, in ms; 0 when none is due. */
  readonly oldestDueMs: number;
  readonly pausedEndpoints: number;
  readonly replays: number;
  /** At most {@link MAX_MAILS} are counted. */
  readonly mailsQueued: number;
  readonly oldestMailMs: number;
  /** Null before the first run. */
  readonly housekeepingEndedAt: number | null;
  /** Null before the first key. */
  readonly signingKeySince: number | null;
}

const MAX_COUNTED = 1_000;
const MAX_MAILS = 10_000;
/** Deliveries of each shard among which the oldest one of an endpoint that is not paused is searched. */
const MAX_READ = 200;

/** Reads the state. Each statement reads a bounded number of index entries, however long the queues are. */
export async function readQueueState(db: Database): Promise<QueueState> {
  const paused = await select<{ id: string }>(
    db,
    `SELECT id FROM webhook_endpoints WHERE paused_until > ${dueNow(db)} LIMIT 10000`,
  );
  const facts = await readFacts(db);
  return {
    now: Number(facts.now),
    migrations: Number(facts.migrations),
    due: await countDue(db),
    oldestDueMs: await oldestDue(db, new Set(paused.map(({ id }) => id))),
    pausedEndpoints: paused.length,
    replays: Number(facts.replays),
    mailsQueued: Number(facts.mails),
    oldestMailMs: facts.mail_due === null ? 0 : Math.max(0, Number(facts.due_now) - Number(facts.mail_due)),
    housekeepingEndedAt: Number(facts.housekeeping_ended) || null,
    signingKeySince: facts.key_since === null ? null : Number(facts.key_since),
  };
}

interface Facts {
  readonly now: number;
  readonly due_now: number;
  readonly migrations: number;
  readonly replays: number;
  readonly mails: number;
  readonly mail_due: number | null;
  readonly housekeeping_ended: number | null;
  readonly key_since: number | null;
}

async function readFacts(db: Database): Promise<Facts> {
  const facts = await selectOne<Facts>(
    db,
    `SELECT ${databaseNow(db)} AS now, ${dueNow(db)} AS due_now,
       (SELECT COUNT(*) FROM schema_migrations) AS migrations,
       (SELECT COUNT(*) FROM webhook_replays WHERE due_at IS NOT NULL) AS replays,
       (SELECT COUNT(*) FROM (SELECT 1 FROM mails WHERE status = 'queued' LIMIT ${MAX_MAILS}) queued) AS mails,
       (SELECT MIN(due_at) FROM mails WHERE status = 'queued') AS mail_due,
       (SELECT ended_at FROM job_leases WHERE job = 'housekeeping') AS housekeeping_ended,
       (SELECT MIN(COALESCE(current_at, created_at)) FROM signing_keys WHERE slot = 'current') AS key_since`,
  );
  if (!facts) throw new Error('a SELECT without a table has no row');
  return facts;
}

async function countDue(db: Database): Promise<number> {
  const rows = await selectText<{ n: number }>(
    db,
    ofShards((shard) => `SELECT COUNT(*) AS n FROM (${dueOf(db, shard, '1', MAX_COUNTED)}) d${shard}`),
  );
  return rows.reduce((sum, { n }) => sum + Number(n), 0);
}

async function oldestDue(db: Database, paused: ReadonlySet<string>): Promise<number> {
  // Without paused endpoints, the first delivery of each shard is enough.
  const limit = paused.size === 0 ? 1 : MAX_READ;
  const rows = await selectText<{ endpoint_id: string; age: number }>(
    db,
    ofShards((shard) => {
      const columns = `endpoint_id, ${dueNow(db)} - scheduled_at AS age`;
      return `SELECT * FROM (${dueOf(db, shard, columns, limit)}) d${shard}`;
    }),
  );
  return rows.reduce((most, { endpoint_id, age }) => (paused.has(endpoint_id) ? most : Math.max(most, Number(age))), 0);
}

/** Reads the index `webhook_deliveries_due` only. */
function dueOf(db: Database, shard: number, columns: string, limit: number): string {
  return `SELECT ${columns} FROM webhook_deliveries
    WHERE queue_shard = ${shard} AND scheduled_at <= ${dueNow(db)} ORDER BY queue_shard, scheduled_at LIMIT ${limit}`;
}

function ofShards(part: (shard: number) => string): string {
  return Array.from({ length: SHARDS }, (_, shard) => part(shard)).join('\nUNION ALL\n');
}
