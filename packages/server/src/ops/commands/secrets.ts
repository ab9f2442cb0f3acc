import { SESSION_MS } from '../../accounts/session-store.ts';
import type { Database } from '../../db/database.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { createSealer, type Sealer } from '../../kernel/seal.ts';
import { loadMasterKeys } from '../data-dir.ts';
import { ALIVE_MS, processesWithOtherKey } from '../heartbeat.ts';
import { type KindReport, reencryptAll, type UnreadableValue } from '../reencrypt.ts';
import type { Operator } from './operator.ts';

/** Report on all sealed values. */
export interface SecretsReport {
  /** Counts for each kind. */
  readonly kinds: readonly Readonly<Record<string, string | number>>[];
  readonly unreadable: readonly UnreadableValue[];
  /** True when all values are readable with the first key of PLAT_MASTER_KEY, and every running process encrypts with it. */
  readonly old_keys_removable: boolean;
  readonly notes: readonly string[];
}

/** A pass without a change proves that all values are current. After this many passes, another process reverts them. */
const PASSES = 3;
const SESSION_DAYS = SESSION_MS / DAY_MS;

/** Counts the values sealed with each key. */
export async function secretsStatus({ db, config }: Operator): Promise<SecretsReport> {
  const sealer = createSealer(loadMasterKeys(config));
  const found = await reencryptAll({ db, sealer, changes: false });
  const kinds = found.map(({ kind, current, outdated, unreadable }) => ({
    ...{ kind, current, to_reencrypt: outdated, unreadable: unreadable.length },
  }));
  return report(
    db,
    kinds,
    found,
    sealer,
    'see to it that every process has this PLAT_MASTER_KEY, then: plat-server secrets reencrypt',
  );
}

/** Seals values of other keys again with the first master key, until none is left. */
export async function reencryptSecrets(
  { db, config }: Operator,
  progress: (kind: string, rows: number) => void,
): Promise<SecretsReport> {
  const sealer = createSealer(loadMasterKeys(config));
  const first = await reencryptAll({ db, sealer, changes: true, progress });
  const passes = [first];
  let last = first;
  while (outdatedIn(last) > 0 && passes.length < PASSES) {
    last = await reencryptAll({ db, sealer, changes: true, progress });
    passes.push(last);
  }
  const kinds = first.map(({ kind, current }, index) => ({
    kind,
    reencrypted: sum(passes.map((pass) => pass[index]?.outdated ?? 0)),
    already_current: current,
    unreadable: last[index]?.unreadable.length ?? 0,
  }));
  return report(
    db,
    kinds,
    last,
    sealer,
    'another process still encrypts with another key: its PLAT_MASTER_KEY does not begin with this key. Restart it, and run this command again',
  );
}

/**
 * @param found result of the last pass
 * @param advice text for values sealed with another key than the first
 */
async function report(
  db: Database,
  kinds: SecretsReport['kinds'],
  found: readonly KindReport[],
  { marks }: Sealer,
  advice: string,
): Promise<SecretsReport> {
  const unreadable = found.flatMap((ofKind) => ofKind.unreadable);
  const outdated = outdatedIn(found);
  const apart = await processesApart(db, marks);
  const isDone = unreadable.length === 0 && outdated === 0 && apart.length === 0;
  const notes = isDone ? whenDone(marks.length) : [];
  if (unreadable.length > 0) {
    notes.push(
      `${unreadable.length} values cannot be read: add the key that they name to PLAT_MASTER_KEY after the first, and run this command again. Without that key, follow the advice for each kind`,
    );
  }
  if (outdated > 0) notes.push(`${outdated} values were encrypted with another key than the first: ${advice}`);
  if (apart.length > 0) {
    const fix =
      unreadable.length > 0
        ? 'Do not restart them with this PLAT_MASTER_KEY while values cannot be read: they may have the missing key'
        : 'Restart them with this PLAT_MASTER_KEY, and run this command again';
    notes.push(
      `these processes encrypt with another key than the first: ${apart.join(', ')}. ${fix}. A process that was killed counts as running for ${ALIVE_MS / 1000} s`,
    );
  }
  return { kinds, unreadable, old_keys_removable: isDone, notes };
}

/** Returns the names of the running processes that encrypt with another key than the first. */
async function processesApart(db: Database, [currentMark = '']: readonly string[]): Promise<string[]> {
  const processes = await processesWithOtherKey(db, currentMark);
  return processes.map(({ kind, host, pid }) => `${kind} ${host}:${pid}`);
}

/** Returns advice for both cases: the first step of a replacement looks like its end, and only the operator can tell them apart. */
function whenDone(keys: number): string[] {
  if (keys === 1) return ['every value is encrypted with the only key of PLAT_MASTER_KEY'];
  return [
    'no value needs another key than the first of PLAT_MASTER_KEY: remove old keys, and restart every process. To replace the first key, put the new one in front of it',
    `removing an old key signs out users who signed in before this key was the first; wait ${SESSION_DAYS} days to avoid that`,
  ];
}

function outdatedIn(found: readonly KindReport[]): number {
  return sum(found.map(({ outdated }) => outdated));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
