import type { DeviceTokenResponse, ErrorCode } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { type Actor, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import type { DeviceLoginRow } from '../db/tables/device-logins.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import type { PollPace } from './poll-pace.ts';
import { createDeveloperToken, deleteDeveloperToken } from './tokens.ts';

/** One poll of the waiting command line. */
interface Poll {
  readonly deviceCode: string;
  readonly now: number;
  readonly requestId: string;
  readonly ip: string | null;
}

/**
 * The token, or the code of the refusal. Refusals are not thrown inside the transaction, because their changes must be
 * committed.
 */
export type PollOutcome = DeviceTokenResponse | ErrorCode;

/**
 * Answers a poll (RFC 8628, section 3.5). It needs no credential, so only a poll with an effect opens a transaction.
 * These are the poll that gets the token, and a later poll with the same code. The later poll proves that the code is
 * no longer secret, and ends the token of the first.
 */
export async function exchangeDeviceCode(db: Database, pace: PollPace, poll: Poll): Promise<PollOutcome> {
  const login = await findLogin(db, poll.deviceCode);
  if (!login) return 'INVALID_GRANT';
  const outcome = outcomeWithout(login, poll.now);
  if (outcome === 'AUTHORIZATION_PENDING') {
    return pace.isTooSoon(hashToken(poll.deviceCode), poll.now) ? 'SLOW_DOWN' : outcome;
  }
  if (login.status === 'used' && !(await hasToken(db, login))) return 'INVALID_GRANT';
  return outcome ?? exchange(db, poll);
}

/** Returns the outcome of a poll that changes nothing; null for a poll that changes something. */
function outcomeWithout(login: DeviceLoginRow, now: number): ErrorCode | null {
  if (login.status === 'used') return null;
  if (login.expires_at <= now) return 'EXPIRED_TOKEN';
  if (login.status === 'denied') return 'ACCESS_DENIED';
  return login.status === 'pending' ? 'AUTHORIZATION_PENDING' : null;
}

/** Exchanges the code. Of all polls after the approval exactly one gets the token. */
function exchange(db: Database, poll: Poll): Promise<PollOutcome> {
  return unitOfWork(db, async (transaction) => {
    const login = await findLogin(db, poll.deviceCode, transaction);
    if (!login) return 'INVALID_GRANT';
    if (login.status === 'used') {
      await revokeIssuedToken(db, transaction, login);
      return 'INVALID_GRANT';
    }
    return outcomeWithout(login, poll.now) ?? issueToken(db, transaction, login, poll);
  });
}

/** Finds the login of a device code. Locks its row inside a transaction. */
async function findLogin(
  db: Database,
  deviceCode: string,
  transaction: Transaction | null = null,
): Promise<DeviceLoginRow | null> {
  if (!isWellFormedToken('plat_dc_', deviceCode)) return null;
  const where = { device_hash: hashToken(deviceCode) };
  return db.models.deviceLogin.findOne({ where, transaction, lock: transaction !== null, raw: true });
}

/** Returns true if the token of a login still exists and must be ended. */
async function hasToken(db: Database, { token_id: id, developer_id: developerId }: DeviceLoginRow): Promise<boolean> {
  if (id === null || developerId === null) return false;
  return (await db.models.developerToken.count({ where: { id, developer_id: developerId } })) > 0;
}

async function issueToken(
  db: Database,
  transaction: Transaction,
  login: DeviceLoginRow,
  { now, requestId, ip }: Poll,
): Promise<PollOutcome> {
  const { developer_id: developerId } = login;
  if (developerId === null) return 'ACCESS_DENIED';
  const developer = await db.models.developer.findByPk(developerId, { transaction, raw: true });
  if (!developer) return 'ACCESS_DENIED';
  const { id, token, expiresAt } = await createDeveloperToken(db, transaction, {
    developerId,
    clientName: login.client_name,
    ip: login.ip,
    now,
  });
  const where = { device_hash: login.device_hash };
  await db.models.deviceLogin.update({ status: 'used', token_id: id }, { where, transaction });
  const actor: Actor = { type: 'developer', id: developerId, sessionId: id, requestId, ip };
  const change = openChange({ db, tenantId: developer.tenant_id, now }, transaction, actor);
  await change.audit({ action: 'developer_token.created', target: { type: 'developer_token', id }, at: now });
  return { access_token: token, token_type: 'Bearer', expires_in: Math.floor((expiresAt - now) / 1000) };
}

async function revokeIssuedToken(
  db: Database,
  transaction: Transaction,
  { token_id: id, developer_id: developerId }: DeviceLoginRow,
): Promise<void> {
  if (id !== null && developerId !== null) await deleteDeveloperToken(db, transaction, { id, developerId });
}
