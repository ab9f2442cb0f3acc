import type { EventType } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { dueNow, noLaterThanNow } from '../../db/database-clock.ts';
import { forUpdate } from '../../db/row-lock.ts';
import { execute, type SqlValues, select, selectOne } from '../../db/sql.ts';
import { qualified } from '../../db/statements.ts';
import type { WebhookReplayRow } from '../../db/tables/webhook-replays.ts';
import { type Clock, laterThan } from '../../kernel/clock.ts';
import { lowestIdAt } from '../../kernel/ids.ts';

/** How far along the events of its window a replay is for one endpoint. */
export interface Walk {
  readonly endpoint_id: string;
  /** The last event that was looked at, or the bound of the window. */
  readonly cursor: string;
  readonly examined: number;
}

/** The time during which one process alone works on a job. */
export type Turn = Pick<WebhookReplayRow, (typeof OF_TURN)[number]>;

const OF_TURN = ['tenant_id', 'id', 'turn'] as const;
const OF_JOB = ['selection', 'since_at', 'until_at', 'status'] as const;

/** A job that is ours to work on. */
export interface ClaimedReplay extends Turn, Pick<WebhookReplayRow, (typeof OF_JOB)[number]> {
  /** null: all. */
  readonly types: readonly EventType[] | null;
  readonly tenant_status: string | null;
  readonly now: number;
}

/** How far a job is. */
export interface Progress {
  readonly walks: readonly Walk[];
  readonly examined: number;
  readonly scheduled: number;
  readonly updatedAt: number;
  readonly now: number;
}

/** The table as the processes that work on it share it. */
export interface ReplayJobs {
  /** Whether any job is due. */
  isAnyDue(): Promise<boolean>;
  /** The job that has waited longest; null when none is due. */
  claim(leaseMs: number): Promise<ClaimedReplay | null>;
  /** Says that the work has begun, and on how many events. False when the turn is over. */
  begin(turn: Turn, total: number): Promise<boolean>;
  /** Prolongs the turn. False when it is over: the job was canceled, or taken over after a silence. */
  keep(turn: Turn, leaseMs: number): Promise<boolean>;
  /** How far the job is, locked; null when the turn is over. */
  read(transaction: Transaction, turn: Turn): Promise<Progress | null>;
  /** Writes how far it is by now, and prolongs the turn, or ends the job when no walk is left to go on. */
  save(transaction: Transaction, turn: Turn, progress: Progress, next: Next): Promise<void>;
  /** Gives the job back, to be claimed again by any process after so many ms. */
  putBack(turn: Turn, afterMs: number, transaction?: Transaction): Promise<void>;
}

export interface Next {
  readonly isOver: boolean;
  readonly leaseMs: number;
}

/**
 * A change that was answered a moment before a replay was created is in its window, though its transaction, begun earlier, may
 * still be about to commit: so long, in ms, a job waits before it looks.
 */
const SETTLE_MS = 1_000;

/** Writes a new job, with all that it needs to walk along the events to some endpoints. */
export async function addReplay(
  db: Database,
  transaction: Transaction,
  row: Omit<WebhookReplayRow, 'walks' | 'turn' | 'due_at'>,
  endpointIds: readonly string[],
): Promise<void> {
  const cursor = lowestIdAt('event', row.since_at);
  const walks = endpointIds.map((endpoint_id): Walk => ({ endpoint_id, cursor, examined: 0 }));
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
 * As with mails, a turn lasts until the instant at which the job is due again, by the clock of the database; a test's `clock`
 * stands in for it. A claim counts the turn up by compare-and-swap, and whatever is written names its turn: of several
 * processes one works on a job, and one that was taken for dead changes nothing any more.
 */
export function createReplayJobs(db: Database, clock?: Clock): ReplayJobs {
  const now = (): string => (clock ? ':now' : dueNow(db));
  const withNow = (values: SqlValues): SqlValues => (clock ? { ...values, now: clock() } : values);
  const update = async (
    { tenant_id, id, turn }: Turn,
    set: string,
    values: SqlValues = {},
    transaction: Transaction | null = null,
  ): Promise<boolean> => {
    const sql = `UPDATE webhook_replays SET ${set} WHERE ${OURS}`;
    return (await execute(db, sql, withNow({ ...values, tenant_id, id, turn }), transaction)) > 0;
  };

  return {
    async isAnyDue() {
      const sql = `SELECT id FROM webhook_replays WHERE due_at <= ${now()} LIMIT 1`;
      return (await select(db, sql, withNow({}))).length > 0;
    },
    async claim(leaseMs) {
      const columns = qualified('r', [...OF_TURN, ...OF_JOB, 'event_types']);
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
        // Others took them all: behind these there may be more.
        if (due.length === 0) return null;
      }
    },
    begin: (turn, total) => update(turn, "status = 'running', total_count = :total", { total }),
    keep: (turn, leaseMs) => update(turn, `due_at = ${now()} + :leaseMs`, { leaseMs }),
    async read(transaction, turn) {
      const row = await selectOne<Omit<Progress, 'walks'> & { readonly walks: string }>(
        db,
        `SELECT walks, examined_count AS examined, scheduled_count AS scheduled, updated_at AS updatedAt, ${now()} AS now
         FROM webhook_replays WHERE ${OURS}${forUpdate(db)}`,
        withNow({ tenant_id: turn.tenant_id, id: turn.id, turn: turn.turn }),
        transaction,
      );
      return row ? { ...row, walks: JSON.parse(row.walks) } : null;
    },
    async save(transaction, turn, { walks, examined, scheduled, updatedAt, now: at }, { isOver, leaseMs }) {
      const end = "status = 'completed', completed_at = :at, due_at = NULL";
      const isOurs = await update(
        turn,
        `walks = :walks, examined_count = :examined, scheduled_count = :scheduled, updated_at = :at,
         ${isOver ? end : `due_at = ${now()} + :leaseMs`}`,
        { walks: JSON.stringify(walks), examined, scheduled, at: laterThan(updatedAt, at), leaseMs },
        transaction,
      );
      if (!isOurs) throw new Error('a replay was taken over in the middle of a batch');
    },
    async putBack(turn, afterMs, transaction) {
      await update(turn, `due_at = ${now()} + :afterMs`, { afterMs }, transaction);
    },
  };
}

/** The job, as long as it is to be worked on and the turn is the latest. */
const OURS = 'tenant_id = :tenant_id AND id = :id AND turn = :turn AND due_at IS NOT NULL';
