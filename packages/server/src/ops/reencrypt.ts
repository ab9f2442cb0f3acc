import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { markOf, type Sealer } from '../kernel/seal.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { nameOf, readAgain, type SealedRow, type Swap, sealedPages, swapValues } from './sealed-rows.ts';

/** A value that no configured key opens. */
export interface UnreadableValue {
  readonly kind: string;
  /** The primary key of its row. */
  readonly row: string;
  readonly reason: string;
  readonly remedy: string;
}

/** What was found of a kind. */
export interface KindReport {
  readonly kind: string;
  /** Sealed under the current key, before anything was done. */
  readonly current: number;
  /** Sealed under another configured key: by now under the current one, unless only looked at. */
  readonly outdated: number;
  readonly unreadable: readonly UnreadableValue[];
}

export interface ReencryptOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Seals anew what is outdated; else it is only counted. */
  readonly changes: boolean;
  /** Told now and then how many rows of a kind were looked at. */
  progress?(kind: string, rows: number): void;
}

/**
 * Looks at every sealed value once, and seals anew under the current master key what another one sealed. It keeps nothing
 * of its own: cut off anywhere it is simply run again, and it may run twice at once, beside servers that seal too.
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
      // Changed by somebody else between the two statements, or gone.
      const again = await Promise.all(lost.map((row) => readAgain(db, column, currentMark, row)));
      left = again.filter((row) => row !== undefined);
      rows -= again.length - left.length;
    }
    progress?.(column.kind, rows);
    // Requests come first: as much rest as work.
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
      broken.push({ kind, row: nameOf(row), reason: whyUnreadable(sealer, from), remedy });
    }
  }
  return { swaps, broken };
}

function whyUnreadable({ marks }: Sealer, sealed: Buffer): string {
  const mark = markOf(sealed);
  return marks.includes(mark)
    ? `damaged: it does not open with the key ${mark}, under which it was sealed`
    : `sealed under the key ${mark}, which PLAT_MASTER_KEY does not have`;
}
