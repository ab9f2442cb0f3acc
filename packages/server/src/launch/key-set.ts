import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Op } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { KEY_SET_MEMORY_MS } from './key-times.ts';

/** The published key set (RFC 7517), with what names this state of it. */
export interface KeySet {
  readonly body: string;
  readonly etag: string;
}

/** A database that does not answer is not waited for longer while there is a set in memory: receivers give up soon. */
const PATIENCE_MS = 1000;

/**
 * Reads the key set: from memory, which is at most {@link KEY_SET_MEMORY_MS} old. A key that another process has made is
 * served by then. While the database is away the last one is served on.
 */
export function keySetReader({ db, clock }: { readonly db: Database; readonly clock: Clock }): () => Promise<KeySet> {
  let known: KeySet | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<KeySet> | undefined;

  const look = (): Promise<KeySet> => {
    const now = clock();
    reading ??= readKeySet(db)
      .then((set) => {
        known = set;
        readAt = now;
        return set;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };

  return async () => {
    const age = clock() - readAt;
    // A clock that was set back says nothing about the age.
    if (known && age >= 0 && age < KEY_SET_MEMORY_MS) return known;
    if (!known) return look();
    const last = known;
    return Promise.race([look().catch(() => last), wait(PATIENCE_MS, last, { ref: false })]);
  };
}

async function readKeySet(db: Database): Promise<KeySet> {
  const rows = await db.models.signingKey.findAll({
    attributes: ['public_jwk'],
    where: { status: { [Op.ne]: 'retired' } },
    order: [['created_at', 'DESC'], 'kid'],
    raw: true,
  });
  const body = `{"keys":[${rows.map(({ public_jwk }) => public_jwk).join(',')}]}`;
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
