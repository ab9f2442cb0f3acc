import { type DeviceTokenResponse, type ErrorCode, LIMITS } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { type Actor, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import type { DeviceLoginRow } from '../db/models/device-login.model.ts';
import { forUpdate } from '../db/row-lock.ts';
import { execute, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { createDeveloperToken, deleteDeveloperToken } from './tokens.ts';

/** One poll of the command line that waits. */
interface Poll {
  readonly deviceCode: string;
  readonly now: number;
  readonly requestId: string;
  readonly ip: string | null;
}

/** The token, or the code of the refusal: what a refusal writes down has to stay, so it is not thrown in here. */
export type PollOutcome = DeviceTokenResponse | ErrorCode;

/**
 * Answers a poll (RFC 8628, section 3.5). Of all that come after the approval exactly one gets the token; another one
 * that knows the code means that it is not a secret any more, and ends what the first one got.
 */
export function exchangeDeviceCode(db: Database, poll: Poll): Promise<PollOutcome> {
  return unitOfWork(db, async (transaction) => {
    const login = await lockLogin(db, transaction, poll.deviceCode);
    if (!login) return 'INVALID_GRANT';
    if (login.status === 'used') {
      await endWhatItGave(db, transaction, login);
      return 'INVALID_GRANT';
    }
    if (login.expires_at <= poll.now) return 'EXPIRED_TOKEN';
    if (login.status === 'denied') return 'ACCESS_DENIED';
    if (login.status === 'pending') return notePoll(db, transaction, login, poll.now);
    return issueToken(db, transaction, login, poll);
  });
}

async function lockLogin(
  db: Database,
  transaction: Transaction,
  deviceCode: string,
): Promise<DeviceLoginRow | undefined> {
  if (!isWellFormedToken('plat_dc_', deviceCode)) return undefined;
  return selectOne<DeviceLoginRow>(
    db,
    `SELECT device_hash, client_name, ip, status, developer_id, token_id, poll_seconds, polled_at, expires_at
     FROM device_logins WHERE device_hash = :hash${forUpdate(db)}`,
    { hash: hashToken(deviceCode) },
    transaction,
  );
}

async function notePoll(
  db: Database,
  transaction: Transaction,
  { device_hash, poll_seconds, polled_at }: DeviceLoginRow,
  now: number,
): Promise<ErrorCode> {
  const isTooSoon = polled_at !== null && now - polled_at < poll_seconds * 1000;
  await execute(
    db,
    'UPDATE device_logins SET polled_at = :now, poll_seconds = :seconds WHERE device_hash = :hash',
    {
      now,
      seconds: isTooSoon ? poll_seconds + LIMITS.deviceLogin.intervalSeconds : poll_seconds,
      hash: Buffer.from(device_hash),
    },
    transaction,
  );
  return isTooSoon ? 'SLOW_DOWN' : 'AUTHORIZATION_PENDING';
}

async function issueToken(
  db: Database,
  transaction: Transaction,
  login: DeviceLoginRow,
  { now, requestId, ip }: Poll,
): Promise<PollOutcome> {
  const { developer_id: developerId } = login;
  const developer = await selectOne<{ tenant_id: string }>(
    db,
    'SELECT tenant_id FROM developers WHERE id = :developerId',
    { developerId },
    transaction,
  );
  if (developerId === null || !developer) return 'ACCESS_DENIED';
  const { id, token, expiresAt } = await createDeveloperToken(db, transaction, {
    developerId,
    clientName: login.client_name,
    ip: login.ip,
    now,
  });
  await execute(
    db,
    `UPDATE device_logins SET status = 'used', token_id = :id WHERE device_hash = :hash`,
    { id, hash: Buffer.from(login.device_hash) },
    transaction,
  );
  const actor: Actor = { type: 'developer', id: developerId, requestId, ip };
  const change = openChange({ db, tenantId: developer.tenant_id, now }, transaction, actor);
  await change.audit({ action: 'developer_token.created', target: { type: 'developer_token', id }, at: now });
  return { access_token: token, token_type: 'Bearer', expires_in: Math.floor((expiresAt - now) / 1000) };
}

async function endWhatItGave(
  db: Database,
  transaction: Transaction,
  { token_id: id, developer_id: developerId }: DeviceLoginRow,
): Promise<void> {
  if (id !== null && developerId !== null) await deleteDeveloperToken(db, transaction, { id, developerId });
}
