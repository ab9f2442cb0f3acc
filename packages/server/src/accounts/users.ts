import type { User } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { columnsExcept } from '../db/statements.ts';
import { USER_EMAIL, USERS, type UserRow } from '../db/tables/users.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, isoTimeOrNull, laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { emailHash } from '../kernel/mail-address.ts';
import { type InvitingChange, mailInvitation, newInvitation } from './invitations.ts';

/** Columns that the API presents. Hashes are excluded. */
export const USER_VIEW = columnsExcept(USERS, ['email_hash', 'invitation_hash', 'invitation_expires_at']);
export type UserView = Pick<UserRow, (typeof USER_VIEW)[number]>;

/** A user to invite. The caller checks that role, client and location belong to the tenant. */
export interface Invitee {
  readonly email: string;
  /** Name of a role. */
  readonly role: string;
  readonly name: string | null;
  readonly clientId: string | null;
  readonly locationId: string | null;
}

/**
 * Creates a user and sends the invitation.
 * @throws {@link ApiError} QUOTA_EXCEEDED, EMAIL_IN_USE, MAIL_LIMIT_REACHED
 */
export async function inviteUser(change: InvitingChange, invitee: Invitee): Promise<UserRow> {
  await change.reserve('users');
  const { token, ...invitation } = newInvitation(change.now);
  const row: UserRow = {
    tenant_id: change.tenantId,
    id: newId('user', change.now),
    email: invitee.email,
    email_hash: emailHash(invitee.email),
    name: invitee.name,
    role: invitee.role,
    status: 'invited',
    client_id: invitee.clientId,
    location_id: invitee.locationId,
    activated_at: null,
    deactivated_at: null,
    ...invitation,
    created_at: change.now,
    updated_at: change.now,
  };
  try {
    await change.db.models.user.create(row, { transaction: change.transaction });
  } catch (error) {
    if (!violates(error, USER_EMAIL)) throw error;
    throw new ApiError('EMAIL_IN_USE', 'The e-mail address belongs to another user of the tenant', { cause: error });
  }
  await announceInvitation(change, row, token);
  return row;
}

/** Sends an invited user a new token. Earlier tokens become invalid. */
export async function resendInvitationTo(change: InvitingChange, before: UserRow): Promise<UserRow> {
  const { token, ...invitation } = newInvitation(change.now);
  const after: UserRow = { ...before, ...invitation, updated_at: laterThan(before.updated_at, change.now) };
  await change.db.models.user.update(
    { ...invitation, updated_at: after.updated_at },
    { where: { tenant_id: after.tenant_id, id: after.id }, transaction: change.transaction },
  );
  await announceInvitation(change, after, token);
  return after;
}

async function announceInvitation(change: InvitingChange, user: UserRow, token: string): Promise<void> {
  await change.emit('user.invited', presentUser(user), user.updated_at);
  await change.audit({ action: 'user.invited', target: { type: 'user', id: user.id }, at: user.updated_at });
  await mailInvitation(change, user, token);
}

/** Finds a user of the tenant by email address, ignoring case. Locks the row inside a transaction. */
export function findUserByEmail(
  db: Database,
  tenantId: string,
  email: string,
  transaction: Transaction | null,
): Promise<UserRow | null> {
  const where = { tenant_id: tenantId, email_hash: emailHash(email) };
  return db.models.user.findOne({ where, transaction, lock: transaction !== null, raw: true });
}

/** Returns the email addresses of users of the tenant by id. Unknown ids are omitted. */
export async function readEmails(
  db: Database,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.models.user.findAll({
    attributes: ['id', 'email'],
    where: { tenant_id: tenantId, id: userIds },
    raw: true,
  });
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Converts a row to the user of the API. */
export function presentUser(row: UserView): User {
  return {
    object: 'user',
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    client_id: row.client_id,
    location_id: row.location_id,
    activated_at: isoTimeOrNull(row.activated_at),
    deactivated_at: isoTimeOrNull(row.deactivated_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
