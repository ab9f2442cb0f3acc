import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime } from '../kernel/clock.ts';
import { newKeyPair } from './key-pair.ts';
import { mayRetireAt } from './key-times.ts';
import { insertKey, type KeyServices, type KeyView, listSigningKeys, lockKeys, makeCurrent } from './signing-keys.ts';

/** Result of a retirement. */
export interface Retirement {
  readonly retired: KeyView;
  /** The key that replaces a retired current key; otherwise null. */
  readonly successor: KeyView | null;
  /** True if tokens of the key may still have been valid. */
  readonly hadTokens: boolean;
}

interface Retire {
  readonly kid: string;
  readonly now: number;
  /** True for a key that may be compromised. */
  readonly force?: boolean;
}

/**
 * Removes a key from the key set permanently, if it never signed or all its tokens have expired. With `force` it
 * removes any other key too, and ends its tokens. The next key, or a new one, then replaces a current key.
 * @throws {@link ApiError} NOT_FOUND, CONFLICT
 */
export async function retireSigningKey({ db, sealer }: KeyServices, { kid, now, force = false }: Retire) {
  const key = (await listSigningKeys(db)).find((row) => row.kid === kid);
  if (!key) throw new ApiError('NOT_FOUND', `there is no signing key ${kid}; see plat-server signing-keys list`);
  // Created outside the transaction, because it takes too long for one.
  const spare = force && key.status === 'current' ? await newKeyPair(sealer) : null;
  return unitOfWork(db, async (transaction): Promise<Retirement> => {
    const { next, current } = await lockKeys(db, transaction);
    const before = (current?.kid === kid && current) || (next?.kid === kid && next) || key;
    const isCurrent = before.status === 'current';
    refuseUnsafe(before, now, force);
    if (isCurrent && !next && !spare) throw concurrentRotation();
    const retired = await end(db, transaction, before, now);
    if (!isCurrent) return { retired, successor: null, hadTokens: now < (mayRetireAt(before) ?? now) };
    const successor = next
      ? await makeCurrent(db, transaction, next, now)
      : spare && (await insertKey(db, transaction, spare, 'current', now));
    return { retired, successor, hadTokens: true };
  });
}

function refuseUnsafe(key: KeyView, now: number, force: boolean): void {
  if (key.status === 'retired') throw new ApiError('CONFLICT', `the key was retired at ${at(key.retired_at)}`);
  if (force) return;
  if (key.status === 'current') {
    throw new ApiError(
      'CONFLICT',
      'the key is the current one; rotate until another key signs. If the key is compromised, use --force: all its tokens are refused then',
    );
  }
  const safeAt = mayRetireAt(key);
  if (safeAt !== null && now < safeAt) {
    throw new ApiError(
      'CONFLICT',
      `tokens of the key may be valid until ${at(safeAt)}: retire it in ${Math.ceil((safeAt - now) / 1000)} s. If the key is compromised, use --force: all its tokens are refused then`,
    );
  }
}

async function end(db: Database, transaction: Transaction, key: KeyView, now: number): Promise<KeyView> {
  const [changed] = await db.models.signingKey.update(
    { status: 'retired', slot: null, private_key: null, retired_at: now },
    { where: { kid: key.kid, status: key.status }, transaction },
  );
  if (changed === 0) throw concurrentRotation();
  return { ...key, status: 'retired', retired_at: now };
}

function concurrentRotation(): ApiError {
  return new ApiError('CONFLICT', 'another process has just rotated the keys; list them and try again');
}

function at(ms: number | null): string {
  return ms === null ? 'long ago' : isoTime(ms);
}
