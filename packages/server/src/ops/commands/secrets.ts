import { SESSION_MS } from '../../accounts/session-store.ts';
import { createSealer, type Sealer } from '../../kernel/seal.ts';
import { loadMasterKeys } from '../data-dir.ts';
import { type KindReport, reencryptAll, type UnreadableValue } from '../reencrypt.ts';
import type { Operator } from './operator.ts';

/** How things stand with everything that is sealed. */
export interface SecretsReport {
  /** A line for each kind, with its counts. */
  readonly kinds: readonly Readonly<Record<string, string | number>>[];
  readonly unreadable: readonly UnreadableValue[];
  /** Whether every value was read, and none needs a key behind the first of PLAT_MASTER_KEY. */
  readonly old_keys_removable: boolean;
  readonly notes: readonly string[];
}

/** A pass that finds nothing to do proves that the one before it left nothing. After so many, somebody undoes them. */
const PASSES = 3;
const SESSION_DAYS = SESSION_MS / 86_400_000;

/** Counts what is sealed under which key. */
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

/** Seals anew under the first master key what another one sealed, until there is no more of it. */
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

/** Whether the operator has something to do before all is well. */
export function needsAttention({ old_keys_removable }: SecretsReport): boolean {
  return !old_keys_removable;
}

/**
 * @param found what the last look at everything came to
 * @param whatNow what to do about values under another key than the first
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

/** The first step of a replacement looks like its end: which of the keys is the old one, only the operator knows. */
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
