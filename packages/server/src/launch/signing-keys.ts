import { literal, type Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { columnsExcept } from '../db/statements.ts';
import { SIGNING_KEY_SLOT, SIGNING_KEYS, type SigningKeyRow } from '../db/tables/signing-keys.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime } from '../kernel/clock.ts';
import type { Sealer } from '../kernel/seal.ts';
import { type NewKeyPair, newKeyPair, signingKeyPurpose } from './key-pair.ts';
import { maySignAt } from './key-times.ts';

export interface KeyServices {
  readonly db: Database;
  readonly sealer: Sealer;
}

/** Columns of a key without its private half. */
const VIEW = columnsExcept(SIGNING_KEYS, ['slot', 'private_key']);
export type KeyView = Pick<SigningKeyRow, (typeof VIEW)[number]>;

/** Returns all keys: the next one, the current one, and the replaced ones, latest first. */
export function listSigningKeys(db: Database): Promise<KeyView[]> {
  return db.models.signingKey.findAll({
    attributes: [...VIEW],
    order: [literal('slot IS NULL'), ['slot', 'DESC'], ['created_at', 'DESC'], 'kid'],
    raw: true,
  });
}

/**
 * Creates the current key at the first start. It may sign at once, because no receiver has cached a key set without it.
 * Of two concurrent processes, one creates it.
 */
export async function ensureSigningKey({ db, sealer }: KeyServices, now: number): Promise<void> {
  if (await db.models.signingKey.findOne({ where: { slot: 'current' }, raw: true })) return;
  try {
    const pair = await newKeyPair(sealer);
    await unitOfWork(db, (transaction) => insertKey(db, transaction, pair, 'current', now));
  } catch (error) {
    if (!violates(error, SIGNING_KEY_SLOT)) throw error;
  }
}

/** Result of a rotation. */
export type Rotation = { readonly made: KeyView } | { readonly promoted: KeyView; readonly replaced: KeyView };

/**
 * Performs the next step of a rotation. Without a next key it creates one, which is published from then on. A next key
 * that has been published for long enough becomes the current key.
 * @param force promotes a key that receivers may not have yet
 * @throws {@link ApiError} CONFLICT for a key that is published for too short a time, and during a concurrent rotation
 * @throws MasterKeyError if this process has another master key than the servers, which could not use its keys
 */
export async function rotateSigningKeys(
  { db, sealer }: KeyServices,
  { now, force = false }: { readonly now: number; readonly force?: boolean },
): Promise<Rotation> {
  await openKeys({ db, sealer });
  const keys = await unitOfWork(db, async (transaction) => {
    const { next, current } = await lockKeys(db, transaction);
    if (!next || !current) return null;
    if (now < maySignAt(next) && !force) throw publishedTooShortly(next, now);
    return { promoted: await promote(db, transaction, { next, current, now }), replaced: current };
  });
  if (keys) return keys;
  // Created outside the transaction, because it takes too long for one.
  const pair = await newKeyPair(sealer);
  try {
    return { made: await unitOfWork(db, (transaction) => insertKey(db, transaction, pair, 'next', now)) };
  } catch (error) {
    if (!violates(error, SIGNING_KEY_SLOT)) throw error;
    throw new ApiError('CONFLICT', 'another process has just created the next key', { cause: error });
  }
}

/** Opens the private keys, which another master key cannot. @throws MasterKeyError */
async function openKeys({ db, sealer }: KeyServices): Promise<void> {
  const rows = await db.models.signingKey.findAll({ where: { slot: ['current', 'next'] }, raw: true });
  for (const { kid, private_key } of rows) {
    if (private_key) sealer.open(Buffer.from(private_key), signingKeyPurpose(kid));
  }
}

/** Returns the next and the current key, locked. */
export async function lockKeys(
  db: Database,
  transaction: Transaction,
): Promise<{ readonly next: KeyView | undefined; readonly current: KeyView | undefined }> {
  const rows: KeyView[] = await db.models.signingKey.findAll({
    attributes: [...VIEW],
    where: { slot: ['current', 'next'] },
    order: ['slot'],
    transaction,
    lock: true,
    raw: true,
  });
  const of = (status: KeyView['status']) => rows.find((row) => row.status === status);
  return { next: of('next'), current: of('current') };
}

interface Promotion {
  readonly next: KeyView;
  readonly current: KeyView;
  readonly now: number;
}

/** Promotes the next key. The replaced key does not sign again, so its private half is deleted. */
async function promote(db: Database, transaction: Transaction, { next, current, now }: Promotion): Promise<KeyView> {
  await db.models.signingKey.update(
    { status: 'previous', slot: null, private_key: null, replaced_at: now },
    { where: { kid: current.kid }, transaction },
  );
  return makeCurrent(db, transaction, next, now);
}

export async function makeCurrent(db: Database, transaction: Transaction, key: KeyView, now: number): Promise<KeyView> {
  await db.models.signingKey.update(
    { status: 'current', slot: 'current', current_at: now },
    { where: { kid: key.kid }, transaction },
  );
  return { ...key, status: 'current', current_at: now };
}

export async function insertKey(
  db: Database,
  transaction: Transaction,
  pair: NewKeyPair,
  status: 'next' | 'current',
  now: number,
): Promise<KeyView> {
  const { private_key, ...view } = {
    ...pair,
    status,
    created_at: now,
    current_at: status === 'current' ? now : null,
    replaced_at: null,
    retired_at: null,
  };
  await db.models.signingKey.create({ ...view, slot: status, private_key }, { transaction });
  return view;
}

function publishedTooShortly(next: KeyView, now: number): ApiError {
  const at = maySignAt(next);
  return new ApiError(
    'CONFLICT',
    `the next key is published since ${isoTime(next.created_at)}, and receivers may have a key set without it until ${isoTime(at)}: rotate again in ${Math.ceil((at - now) / 1000)} s`,
  );
}
