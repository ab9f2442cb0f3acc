import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Op } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { KEY_SET_MEMORY_MS } from './key-times.ts';

/** The published key set (RFC 7517), with its ETag. */
export interface KeySet {
  readonly body: string;
  readonly etag: string;
}

/** Time limit of the database query while a set is in memory, in ms: receivers time out soon. */
const QUERY_TIMEOUT_MS = 1000;

/**
 * Returns the key set from a cache, which is at most {@link KEY_SET_MEMORY_MS} old. A key that another process created
 * is served by then. While the database is unreachable, the last set is served.
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
    // After a clock was set back, the age is unknown.
    if (known && age >= 0 && age < KEY_SET_MEMORY_MS) return known;
    if (!known) return look();
    const last = known;
    return Promise.race([look().catch(() => last), wait(QUERY_TIMEOUT_MS, last, { ref: false })]);
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
