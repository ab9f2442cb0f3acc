import { createHash } from 'node:crypto';
import { HEADERS, LIMITS } from '@plat/contract';
import type { Request } from 'express';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import {
  type ClaimedKey,
  deleteKey,
  findKey,
  insertKey,
  renewLock,
  storeAnswer,
  takeKeyOver,
} from '../db/idempotency-keys.ts';
import { ApiError } from '../kernel/api-error.ts';
import { count } from '../kernel/meter.ts';
import type { Sealer } from '../kernel/seal.ts';
import { rawBody } from './body.ts';

/** Time after which another attempt may take over the key of a request whose process was killed, in ms. */
export const KEY_LOCK_MS = 30_000;
/** Purpose of the key that seals stored responses. */
export const STORED_RESPONSE_PURPOSE = 'idempotent answer';

/** The stored response of a request with an Idempotency-Key. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/** A request that holds its Idempotency-Key, and renews its lock, until it stores a response or releases the key. */
export interface HeldKey {
  /**
   * Stores the response, in the transaction of the change if there is one. Throws if another attempt has taken over the
   * key.
   */
  store(answer: StoredResponse, transaction: Transaction | null): Promise<void>;
  /** Releases the key without a response, after a 5xx. */
  release(): Promise<void>;
  /** Ends the renewal of the lock. Call it when the request has ended. */
  end(): void;
}

interface Claim {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly credentialId: string;
  readonly requestId: string;
  /** Time after which the lock expires unless it is renewed, in ms. */
  readonly lockMs: number;
}

/** Returns the Idempotency-Key of a request, or null. */
export function idempotencyKeyOf(req: Request): string | null {
  const key = req.headers[HEADERS.idempotencyKey];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length > LIMITS.idempotencyKey.max || !/^[\x21-\x7e]+$/.test(key)) {
    const message = `must be 1 to ${LIMITS.idempotencyKey.max} visible ASCII characters`;
    throw new ApiError('INVALID_REQUEST', `The header Idempotency-Key ${message}`, {
      errors: [{ path: 'Idempotency-Key', message }],
    });
  }
  return key;
}

/**
 * Claims the key for this request, or returns the stored response of an earlier one.
 * @throws {@link ApiError} IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export async function claimKey(claim: Claim, key: string, req: Request): Promise<HeldKey | StoredResponse> {
  const { db, credentialId, requestId, lockMs } = claim;
  const keyHash = sha256(key);
  const requestHash = sha256(req.method, req.originalUrl, rawBody(req));
  const fresh: ClaimedKey = {
    credential_id: credentialId,
    key_hash: keyHash,
    request_hash: requestHash,
    attempt: requestId,
    lockMs,
    ttlMs: LIMITS.idempotencyKey.ttlSeconds * 1000,
  };
  if (await insertKey(db, fresh)) return held(claim, fresh);
  const row = await findKey(db, fresh);
  // The holder released the key between the two statements.
  if (!row) return claimKey(claim, key, req);
  const isExpired = row.is_expired === 1;
  if (!isExpired && !Buffer.from(row.request_hash).equals(requestHash)) {
    countKey('reused');
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request; use a new one');
  }
  if (!isExpired && row.status !== null && row.answer !== null) {
    countKey('replayed');
    return { status: row.status, body: claim.sealer.open(Buffer.from(row.answer), STORED_RESPONSE_PURPOSE) };
  }
  const isTaken = (isExpired || row.is_locked !== 1) && (await takeKeyOver(db, fresh, row));
  if (isTaken) return held(claim, fresh);
  countKey('in_use');
  throw keyInUse();
}

function countKey(outcome: 'new' | 'replayed' | 'in_use' | 'reused'): void {
  count('plat_idempotency_total', { outcome });
}

function held({ db, sealer, lockMs }: Claim, { credential_id, key_hash, attempt }: ClaimedKey): HeldKey {
  countKey('new');
  const mine = { credential_id, key_hash, attempt };
  // A failed renewal needs no handling: if another request takes the key over, this one cannot store its response.
  const renewal = setInterval(() => void renewLock(db, mine, lockMs).catch(() => undefined), lockMs / 3).unref();
  return {
    async store({ status, body }, transaction) {
      const answer = sealer.seal(body, STORED_RESPONSE_PURPOSE);
      if (!(await storeAnswer(db, mine, { status, answer }, transaction))) throw keyInUse();
    },
    release: () => deleteKey(db, mine),
    end: () => clearInterval(renewal),
  };
}

function keyInUse(): ApiError {
  return new ApiError('IDEMPOTENCY_KEY_IN_USE', 'The first request with this Idempotency-Key is still running', {
    headers: { 'Retry-After': '1' },
  });
}

function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest();
}
