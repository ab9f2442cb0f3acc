import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { markOf, type Sealer } from '../kernel/seal.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { nameOf, readAgain, type SealedRow, type Swap, sealedPages, swapValues } from './sealed-rows.ts';

/** A value that cannot be opened with any configured key. */
export interface UnreadableValue {
  readonly kind: string;
  /** The primary key of its row. */
  readonly row: string;
  readonly reason: string;
  readonly remedy: string;
}

/** Result for one kind of value. */
export interface KindReport {
  readonly kind: string;
  /** Number of values that were sealed with the current key before the run. */
  readonly current: number;
  /** Number of values that were sealed with another configured key. The run sealed them again, unless it only counted. */
  readonly outdated: number;
  readonly unreadable: readonly UnreadableValue[];
}

export interface ReencryptOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  /** True: seals outdated values again. False: counts them. */
  readonly changes: boolean;
  /** Called regularly with the number of rows read. */
  progress?(kind: string, rows: number): void;
}

/**
 * Reads each sealed value once, and seals it again with the current master key if another key sealed it. The run stores no
 * progress: it can be repeated after an abort, and can run concurrently with servers and with itself.
 */
export async function reencryptAll(options: ReencryptOptions): Promise<readonly KindReport[]> {
  const reports: KindReport[] = [];
  for (const column of SEALED_COLUMNS) reports.push(await reencryptColumn(column, options));
  return reports;
}

async function reencryptColumn(column: SealedColumn, options: ReencryptOptions): Promise<KindReport> {
  const { db, sealer, changes, progress } = options;
  const [currentMark = ''] = sealer.marks;
  const unreadable: UnreadableValue[] = [];
  let rows = 0;
  let outdated = 0;
  for await (const page of sealedPages(db, column, currentMark)) {
    rows += page.length;
    const startedAt = performance.now();
    let left = page;
    while (left.length > 0) {
      const { swaps, broken } = prepare(column, sealer, left);
      unreadable.push(...broken);
      outdated += swaps.length;
      if (!changes || swaps.length === 0) break;
      const lost = await swapValues(db, column, swaps);
      outdated -= lost.length;
      // Changed by another process between the two statements, or deleted.
      const again = await Promise.all(lost.map((row) => readAgain(db, column, currentMark, row)));
      left = again.filter((row) => row !== undefined);
      rows -= again.length - left.length;
    }
    progress?.(column.kind, rows);
    // Requests take precedence: pause as long as the batch took.
    if (changes) await wait(performance.now() - startedAt);
  }
  return { kind: column.kind, current: rows - outdated - unreadable.length, outdated, unreadable };
}

function prepare(column: SealedColumn, sealer: Sealer, rows: readonly SealedRow[]) {
  const swaps: Swap[] = [];
  const broken: UnreadableValue[] = [];
  for (const row of rows) {
    const { outdated: from } = row;
    if (from === null) continue;
    const purpose = column.purposeOf(String(row.key.at(-1)));
    try {
      swaps.push({ row, from, to: sealer.seal(sealer.open(from, purpose), purpose) });
    } catch {
      const { kind, remedy } = column;
      broken.push({ kind, row: nameOf(row), reason: unreadableReason(sealer, from), remedy });
    }
  }
  return { swaps, broken };
}

function unreadableReason({ marks }: Sealer, sealed: Buffer): string {
  const mark = markOf(sealed);
  return marks.includes(mark)
    ? `damaged: it does not open with the key ${mark}, under which it was sealed`
    : `sealed under the key ${mark}, which PLAT_MASTER_KEY does not have`;
}
