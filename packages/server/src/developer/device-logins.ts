import { LIMITS } from '@plat/contract';
import { Op } from 'sequelize';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { DEVICE_USER_CODE, type DeviceLoginRow } from '../db/tables/device-logins.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { hashToken, newToken } from '../kernel/tokens.ts';
import { hashUserCode, newUserCode } from './user-code.ts';

/** A login that waits for the developer's approval. */
export interface DeviceLogin {
  readonly clientName: string;
  /** Address of the command line. */
  readonly ip: string | null;
  readonly createdAt: number;
}

/** Begins a login (RFC 8628, section 3.2). Both codes are returned once and stored as hashes. */
export async function beginDeviceLogin(
  db: Database,
  { clientName, ip, now }: { readonly clientName: string; readonly ip: string | null; readonly now: number },
): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
  const deviceCode = newToken('plat_dc_');
  const userCode = newUserCode();
  const row: DeviceLoginRow = {
    device_hash: hashToken(deviceCode),
    user_hash: hashUserCode(userCode),
    client_name: clientName,
    ip,
    status: 'pending',
    developer_id: null,
    token_id: null,
    created_at: now,
    expires_at: now + LIMITS.deviceLogin.seconds * 1000,
  };
  try {
    await unitOfWork(db, (transaction) => db.models.deviceLogin.create(row, { transaction }));
  } catch (error) {
    // The user code equals that of another stored login.
    if (violates(error, DEVICE_USER_CODE)) return beginDeviceLogin(db, { clientName, ip, now });
    throw error;
  }
  return { deviceCode, userCode };
}

/** Returns the login of a user code that is not answered yet. */
export async function findDeviceLogin(db: Database, userCode: string, now: number): Promise<DeviceLogin | null> {
  const row = await db.models.deviceLogin.findOne({ where: pending(userCode, now), raw: true });
  return row ? { clientName: row.client_name, ip: row.ip, createdAt: row.created_at } : null;
}

interface Answer {
  readonly userCode: string;
  readonly developerId: string;
  readonly approves: boolean;
  readonly now: number;
}

/** Stores the developer's answer; the first one counts. Resolves to true if there was a login to answer. */
export async function answerDeviceLogin(
  db: Database,
  { userCode, developerId, approves, now }: Answer,
): Promise<boolean> {
  const [answered] = await unitOfWork(db, (transaction) =>
    db.models.deviceLogin.update(
      { status: approves ? 'approved' : 'denied', developer_id: developerId },
      { where: pending(userCode, now), transaction },
    ),
  );
  return answered > 0;
}

/** Matches the login of a user code that the developer has not answered. */
function pending(userCode: string, now: number) {
  return { user_hash: hashUserCode(userCode), status: 'pending', expires_at: { [Op.gt]: now } } as const;
}
