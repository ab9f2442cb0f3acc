import { SESSION_MS } from '../../accounts/session-store.ts';
import { createSealer, type Sealer } from '../../kernel/seal.ts';
import { loadMasterKeys } from '../data-dir.ts';
import { type KindReport, reencryptAll, type UnreadableValue } from '../reencrypt.ts';
import type { Operator } from './operator.ts';

/** Report on all sealed values. */
export interface SecretsReport {
  /** Counts for each kind. */
  readonly kinds: readonly Readonly<Record<string, string | number>>[];
  readonly unreadable: readonly UnreadableValue[];
  /** True when all values are readable with the first key of PLAT_MASTER_KEY. */
  readonly old_keys_removable: boolean;
  readonly notes: readonly string[];
}

/** A pass without a change proves that all values are current. After this many passes, another process reverts them. */
const PASSES = 3;
const SESSION_DAYS = SESSION_MS / 86_400_000;

/** Counts the values sealed with each key. */
export async function secretsStatus({ db, config }: Operator): Promise<SecretsReport> {
  const sealer = createSealer(loadMasterKeys(config));
  const found = await reencryptAll({ db, sealer, changes: false });
  const kinds = found.map(({ kind, current, outdated, unreadable }) => ({
    ...{ kind, current, to_reencrypt: outdated, unreadable: unreadable.length },
  }));
  return report(
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
    kinds,
    last,
    sealer,
    'a process goes on sealing under another key: its PLAT_MASTER_KEY does not begin with this one. Restart it, and run this again',
  );
}

/** True when the operator has to act. */
export function needsAttention({ old_keys_removable }: SecretsReport): boolean {
  return !old_keys_removable;
}

/**
 * @param found result of the last pass
 * @param whatNow advice for values sealed with another key than the first
 */
function report(
  kinds: SecretsReport['kinds'],
  found: readonly KindReport[],
  { marks }: Sealer,
  whatNow: string,
): SecretsReport {
  const unreadable = found.flatMap((ofKind) => ofKind.unreadable);
  const outdated = outdatedIn(found);
  const isDone = unreadable.length === 0 && outdated === 0;
  const notes = isDone ? whenDone(marks.length) : [];
  if (unreadable.length > 0) {
    notes.push(
      `${unreadable.length} values cannot be read: put the key that they name into PLAT_MASTER_KEY behind the first, and run this again; without that key, see what to do about each`,
    );
  }
  if (outdated > 0) notes.push(`${outdated} values were found under another key than the first: ${whatNow}`);
  return { kinds, unreadable, old_keys_removable: isDone, notes };
}

/** The first step of a replacement looks like its end: only the operator knows which key is the old one. */
function whenDone(keys: number): string[] {
  if (keys === 1) return ['every value is encrypted under the one key of PLAT_MASTER_KEY'];
  return [
    'no value needs another key than the first of PLAT_MASTER_KEY: take old ones out, and restart every process; a new one that is to replace the first goes in front of it',
    `taking an old one out signs out who signed in on a page before this key was the first; wait ${SESSION_DAYS} days to spare them that`,
  ];
}

function outdatedIn(found: readonly KindReport[]): number {
  return sum(found.map(({ outdated }) => outdated));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
