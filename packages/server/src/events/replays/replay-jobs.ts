import type { AnyEventType } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { dueNow, noLaterThanNow } from '../../db/database-clock.ts';
import { forUpdate } from '../../db/row-lock.ts';
import { execute, type SqlValues, select, selectOne } from '../../db/sql.ts';
import { qualified } from '../../db/statements.ts';
import type { Missed } from '../../db/tables/webhook-endpoints.ts';
import type { WebhookReplayRow } from '../../db/tables/webhook-replays.ts';
import { type Clock, laterThan } from '../../kernel/clock.ts';
import { lowestIdAt } from '../../kernel/ids.ts';

/** Progress of a replay for one endpoint. */
export interface Walk {
  readonly endpoint_id: string;
  /** The last event examined, or the bound of the window. */
  readonly cursor: string;
  readonly examined: number;
  /** The missed period of the endpoint that the replay cleared. It is restored if the replay is canceled. */
  readonly missed?: Missed;
}

/** The lease of a job; `turn` is its fencing token. */
export type ReplayLease = Pick<WebhookReplayRow, (typeof OF_LEASE)[number]>;

const OF_LEASE = ['tenant_id', 'id', 'turn'] as const;
const OF_JOB = ['selection', 'since_at', 'until_at', 'status'] as const;

/** A job that this process works on. */
export interface ClaimedReplay extends ReplayLease, Pick<WebhookReplayRow, (typeof OF_JOB)[number]> {
  /** Event types to replay; null: all. */
  readonly types: readonly AnyEventType[] | null;
  readonly tenant_status: string | null;
  readonly now: number;
}

/** Progress of a job. */
export interface Progress {
  readonly walks: readonly Walk[];
  readonly examined: number;
  readonly scheduled: number;
  readonly updatedAt: number;
  readonly now: number;
}

/** The jobs, shared by the processes that work on them. */
export interface ReplayJobs {
  /** Resolves to true when a job is due. */
  isAnyDue(): Promise<boolean>;
  /** Takes the lease of the job that has waited longest; null when none is due. */
  claim(leaseMs: number): Promise<ClaimedReplay | null>;
  /** Records the start of the work and the number of events. False when the lease ended. */
  begin(lease: ReplayLease, total: number): Promise<boolean>;
  /** Renews the lease. False when it ended: the job was canceled or taken over. */
  renew(lease: ReplayLease, leaseMs: number): Promise<boolean>;
  /** Reads the progress and locks the job; null when the lease ended. */
  read(transaction: Transaction, lease: ReplayLease): Promise<Progress | null>;
  /** Writes the progress, and renews the lease or completes the job. */
  save(transaction: Transaction, lease: ReplayLease, progress: Progress, next: Next): Promise<void>;
  /** Ends the lease. The job is due again after `afterMs`, for any process. */
  release(lease: ReplayLease, afterMs: number, transaction?: Transaction): Promise<void>;
}

export interface Next {
  readonly isOver: boolean;
  readonly leaseMs: number;
}

/**
 * Delay of the first read of a job, in ms. A transaction that started before the replay was created, and belongs to its
 * window, may commit a moment later.
 */
const SETTLE_MS = 1_000;

/** Inserts a new job for some endpoints. */
export async function addReplay(
  db: Database,
  transaction: Transaction,
  row: Omit<WebhookReplayRow, 'walks' | 'turn' | 'due_at'>,
  endpointIds: readonly string[],
  cleared: ReadonlyMap<string, Missed> = new Map(),
): Promise<void> {
  const cursor = lowestIdAt('event', row.since_at);
  const walks = endpointIds.map((endpoint_id): Walk => {
    const missed = cleared.get(endpoint_id);
    return { endpoint_id, cursor, examined: 0, ...(missed && { missed }) };
  });
  const columns = Object.keys(row);
  await execute(
    db,
    `INSERT INTO webhook_replays (${columns.join(', ')}, walks, turn, due_at)
     VALUES (${columns.map((column) => `:${column}`).join(', ')}, :walks, 0, ${noLaterThanNow(db, ':created_at')} + ${SETTLE_MS})`,
    { ...row, walks: JSON.stringify(walks) },
    transaction,
  );
}

/**
 * A lease lasts until the job is due again, by the clock of the database or a test's `clock`. A claim increments the fencing
 * token by compare-and-swap, and each write requires its token: one process works on a job, and a process whose lease ended
 * changes nothing.
 */
export function createReplayJobs(db: Database, clock?: Clock): ReplayJobs {
  const now = (): string => (clock ? ':now' : dueNow(db));
  const withNow = (values: SqlValues): SqlValues => (clock ? { ...values, now: clock() } : values);
  const update = async (
    { tenant_id, id, turn }: ReplayLease,
    set: string,
    values: SqlValues = {},
    transaction: Transaction | null = null,
  ): Promise<boolean> => {
    const sql = `UPDATE webhook_replays SET ${set} WHERE ${HELD}`;
    return (await execute(db, sql, withNow({ ...values, tenant_id, id, turn }), transaction)) > 0;
  };

  return {
    async isAnyDue() {
      const sql = `SELECT id FROM webhook_replays WHERE due_at <= ${now()} LIMIT 1`;
      return (await select(db, sql, withNow({}))).length > 0;
    },
    async claim(leaseMs) {
      const columns = qualified('r', [...OF_LEASE, ...OF_JOB, 'event_types']);
      for (;;) {
        const due = await select<ClaimedReplay & Pick<WebhookReplayRow, 'event_types'>>(
          db,
          `SELECT ${columns}, t.status AS tenant_status, ${now()} AS now
           FROM webhook_replays r LEFT JOIN tenants t ON t.id = r.tenant_id
           WHERE r.due_at <= ${now()} ORDER BY r.due_at LIMIT 8`,
          withNow({}),
        );
        for (const { event_types: types, ...job } of due) {
          if (!(await update(job, `turn = turn + 1, due_at = ${now()} + :leaseMs`, { leaseMs }))) continue;
          return { ...job, turn: job.turn + 1, types: types === null ? null : JSON.parse(types) };
        }
        // Other processes took all of them; further jobs may be due.
        if (due.length === 0) return null;
      }
    },
    begin: (lease, total) => update(lease, "status = 'running', total_count = :total", { total }),
    renew: (lease, leaseMs) => update(lease, `due_at = ${now()} + :leaseMs`, { leaseMs }),
    async read(transaction, lease) {
      const row = await selectOne<Omit<Progress, 'walks'> & { readonly walks: string }>(
        db,
        `SELECT walks, examined_count AS examined, scheduled_count AS scheduled, updated_at AS updatedAt, ${now()} AS now
         FROM webhook_replays WHERE ${HELD}${forUpdate(db)}`,
        withNow({ tenant_id: lease.tenant_id, id: lease.id, turn: lease.turn }),
        transaction,
      );
      return row ? { ...row, walks: JSON.parse(row.walks) } : null;
    },
    async save(transaction, lease, { walks, examined, scheduled, updatedAt, now: at }, { isOver, leaseMs }) {
      const end = "status = 'completed', completed_at = :at, due_at = NULL";
      const isHeld = await update(
        lease,
        `walks = :walks, examined_count = :examined, scheduled_count = :scheduled, updated_at = :at,
         ${isOver ? end : `due_at = ${now()} + :leaseMs`}`,
        { walks: JSON.stringify(walks), examined, scheduled, at: laterThan(updatedAt, at), leaseMs },
        transaction,
      );
      if (!isHeld) throw new Error('another process took over a replay during a batch');
    },
    async release(lease, afterMs, transaction) {
      await update(lease, `due_at = ${now()} + :afterMs`, { afterMs }, transaction);
    },
  };
}

/** Selects the job while the lease holds. */
const HELD = 'tenant_id = :tenant_id AND id = :id AND turn = :turn AND due_at IS NOT NULL';
