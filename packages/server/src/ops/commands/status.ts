import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { readSchema } from '../../db/migrate.ts';
import { readLeases } from '../../events/dispatch/leases.ts';
import { clockOffset, readProcesses, type SeenProcess } from '../heartbeat.ts';
import { type QueueState, readQueueState } from '../queue-state.ts';
import { type VersionInfo, versionOf } from '../version-info.ts';
import { inspecting } from './inspect.ts';

/** The state of an installation: its database, processes and queues. */
export interface Status {
  /** The program that reads the status. */
  readonly program: VersionInfo;
  readonly database: Database['kind'];
  readonly schema: SchemaStatus;
  /** Clock of this machine less the database's. */
  readonly clock_offset_ms: number;
  readonly processes: readonly ProcessStatus[];
  /** Null while migrations are pending. */
  readonly queues: QueueStatus | null;
  /** Sentences about states that need the operator. */
  readonly notes: readonly string[];
}

interface SchemaStatus {
  /** Number of migrations of this version that have run. */
  readonly applied: number;
  readonly pending: readonly string[];
  /** Migrations of a newer version. */
  readonly newer: readonly string[];
}

interface ProcessStatus {
  readonly kind: SeenProcess['kind'];
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly commit: string | null;
  readonly started_at: string;
  readonly seen_at: string;
  readonly alive: boolean;
  readonly clock_offset_ms: number;
  /** The key that encrypts, as `secrets status` names keys. Null for a process of an older version. */
  readonly master_key: string | null;
}

interface QueueStatus {
  readonly deliveries_due: number;
  readonly delivery_oldest_due_seconds: number;
  readonly endpoints_paused: number;
  readonly shards: { readonly total: number; readonly held: number; readonly holders: number };
  readonly replays: number;
  readonly mails_queued: number;
  readonly mail_oldest_due_seconds: number;
  /** Null before the first run. */
  readonly housekeeping_ended_at: string | null;
  readonly signing_key_since: string | null;
}

export function readStatus(config: Config): Promise<Status> {
  return inspecting(config, async (db) => {
    const { applied, pending, newer } = await readSchema(db);
    const schema = { applied: applied.length, pending: pending.map(({ name }) => name), newer };
    const isCurrent = pending.length === 0;
    const processes = isCurrent ? (await readProcesses(db)).map(presentProcess) : [];
    const status = {
      program: versionOf(config),
      database: db.kind,
      schema,
      clock_offset_ms: await clockOffset(db),
      processes,
      queues: isCurrent ? await readQueues(db) : null,
    };
    return { ...status, notes: notesOn(status, config.maxClockOffsetMs) };
  });
}

function presentProcess(row: SeenProcess): ProcessStatus {
  const { kind, host, pid, version, commit_id: commit } = row;
  return {
    ...{ kind, host, pid, version, commit },
    started_at: isoOf(row.started_at),
    seen_at: isoOf(row.seen_at),
    alive: row.is_alive === 1,
    clock_offset_ms: Number(row.clock_offset_ms),
    master_key: row.master_key,
  };
}

async function readQueues(db: Database): Promise<QueueStatus> {
  const state: QueueState = await readQueueState(db);
  const { now, leases } = await readLeases(db);
  const held = leases.filter(({ owner, expires_at }) => owner !== null && expires_at > now);
  return {
    deliveries_due: state.due,
    delivery_oldest_due_seconds: seconds(state.oldestDueMs),
    endpoints_paused: state.pausedEndpoints,
    shards: { total: leases.length, held: held.length, holders: new Set(held.map(({ owner }) => owner)).size },
    replays: state.replays,
    mails_queued: state.mailsQueued,
    mail_oldest_due_seconds: seconds(state.oldestMailMs),
    housekeeping_ended_at: state.housekeepingEndedAt === null ? null : isoOf(state.housekeepingEndedAt),
    signing_key_since: state.signingKeySince === null ? null : isoOf(state.signingKeySince),
  };
}

/** Bounds of a healthy installation, in seconds. The alert rules in deploy/ have the same. */
const BOUNDS = { oldestDue: 60, oldestMail: 900 } as const;

function notesOn(
  { program, schema, processes, queues, clock_offset_ms }: Omit<Status, 'notes'>,
  maxClockOffsetMs: number,
): string[] {
  const isApart = (offsetMs: number): boolean => Math.abs(offsetMs) > maxClockOffsetMs;
  const notes: string[] = [];
  const alive = processes.filter((one) => one.alive);
  if (schema.pending.length > 0)
    notes.push(`${schema.pending.length} migrations are pending: ${schema.pending.join(', ')}`);
  if (schema.newer.length > 0) {
    notes.push(`the database has migrations of a newer version than ${program.version}: ${schema.newer.join(', ')}`);
  }
  if (schema.pending.length === 0 && alive.length === 0) notes.push('no server and no worker is running');
  for (const { kind, host, pid, seen_at } of processes.filter((one) => !one.alive)) {
    notes.push(
      `the ${kind} ${host}:${pid} was last seen at ${seen_at}: it was killed, or this database was restored from a backup`,
    );
  }
  for (const { kind, host, pid, clock_offset_ms: offset } of alive) {
    if (isApart(offset))
      notes.push(`the clock of the ${kind} ${host}:${pid} is ${offset} ms apart from the database's`);
  }
  if (isApart(clock_offset_ms))
    notes.push(`the clock of this machine is ${clock_offset_ms} ms apart from the database's`);
  if (new Set(alive.map(({ version, commit }) => `${version} ${commit}`)).size > 1) {
    notes.push('processes of different versions are running');
  }
  if (new Set(alive.flatMap(({ master_key }) => master_key ?? [])).size > 1) {
    notes.push(
      'processes encrypt with different master keys: complete the replacement, see plat-server secrets status',
    );
  }
  if (!queues) return notes;
  if (queues.shards.held === 0 && alive.length > 0) notes.push('no process sends deliveries: start a worker');
  if (queues.delivery_oldest_due_seconds > BOUNDS.oldestDue) {
    notes.push(`a delivery has been due for ${queues.delivery_oldest_due_seconds} s`);
  }
  if (queues.mail_oldest_due_seconds > BOUNDS.oldestMail) {
    notes.push(`a mail has been due for ${queues.mail_oldest_due_seconds} s`);
  }
  return notes;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function isoOf(ms: number | string): string {
  return new Date(Number(ms)).toISOString();
}
