import { LIMITS } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Change } from '../change.ts';
import type { WriteContext } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { UserRow } from '../db/tables/users.ts';
import { hashToken, newToken } from '../kernel/tokens.ts';
import { plainName } from '../mail/plain-name.ts';

/** A change that can send invitations: it can queue mail, and has the address of the link. */
export type InvitingChange = Change & Pick<WriteContext, 'mail' | 'reserve' | 'baseUrl'>;

/** Path of the page that the link in the mail opens. */
export const ACCEPT_PATH = '/invitations/accept';

/** Creates a token for the mail, and the columns of the user's row that belong to it. */
export function newInvitation(now: number): {
  readonly token: string;
  readonly invitation_hash: Buffer;
  readonly invitation_expires_at: number;
} {
  const token = newToken('plat_inv_');
  return {
    token,
    invitation_hash: hashToken(token),
    invitation_expires_at: now + LIMITS.invitationSeconds * 1000,
  };
}

/** Queues the mail with the link. */
export async function mailInvitation(change: InvitingChange, user: UserRow, token: string): Promise<void> {
  const words = await readInvitationWords(change.db, user, change.transaction);
  const place = tenantWords(words);
  const role = plainName(words.roleTitle);
  const expiresAt = user.invitation_expires_at ?? change.now;
  await change.mail({
    kind: 'user_invitation',
    to: user.email,
    subject: `Invitation to ${place} on Plat`,
    text: `You are invited to join ${place} on Plat.

Email: ${user.email}
${role === null ? '' : `Role: ${role}\n`}Platform: ${change.baseUrl}

Open this page to accept:

${change.baseUrl}${ACCEPT_PATH}?token=${token}

The link works once, until ${utcMinute(expiresAt)}.
If you didn't expect this email, ignore it: nothing happens until you accept.
`,
    expiresAt,
  });
}

/**
 * Returns the words for the tenant in a mail. Anyone can create and rename a sandbox, so a mail never contains its
 * name.
 */
function tenantWords({ tenantName, sandbox }: InvitationWords): string {
  return sandbox === 1 ? "a developer's sandbox" : (plainName(tenantName) ?? 'a tenant');
}

/** Data that an invitation shows, besides the user's address. */
export interface InvitationWords {
  readonly tenantName: string;
  readonly sandbox: 0 | 1;
  readonly roleTitle: string;
}

export async function readInvitationWords(
  db: Database,
  { tenant_id, role }: Pick<UserRow, 'tenant_id' | 'role'>,
  transaction: Transaction | null,
): Promise<InvitationWords> {
  const tenant = await db.models.tenant.findByPk(tenant_id, { transaction, raw: true });
  const found = await db.models.role.findOne({ where: { tenant_id, name: role }, transaction, raw: true });
  if (!tenant || !found) throw new Error(`the tenant ${tenant_id} has no role ${role}`);
  return { tenantName: tenant.name, sandbox: tenant.sandbox, roleTitle: found.title };
}

/** Formats a time for mails and pages: `2026-01-31 12:00 UTC`. */
export function utcMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
