import { isId } from '@plat/contract';
import { mintSupportKey } from '../../auth/api-keys.ts';
import { OPERATOR, openChange } from '../../change.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';
import { seededId } from '../../kernel/ids.ts';
import { CommandError } from '../command-error.ts';
import { changeTenant } from './change-tenant.ts';
import { type Operator, readOption } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

interface GrantOptions {
  /** The tenant reads it in its audit trail. */
  readonly reason: string;
  /** Duration, in ms. */
  readonly expiresIn: number;
}

/** Creates a read-only key for a tenant. It expires, and the tenant's audit trail records it with the reason. */
export function grantSupport(operator: Operator, tenantId: string, { reason: given, expiresIn }: GrantOptions) {
  const reason = readOption('--reason', { type: 'string', minLength: 1, maxLength: 500, pattern: '\\S' }, given);
  return changeTenant(operator, tenantId, async ({ db, transaction, now, audit }, tenant) => {
    const expiresAt = now + expiresIn;
    const { id, apiKey } = await mintSupportKey(db, transaction, {
      tenantId,
      mode: tenant.sandbox === 1 ? 'test' : 'live',
      reason,
      createdBy: seededId(tenantId, 'user', 0),
      now,
      expiresAt,
    });
    const expires_at = isoTime(expiresAt);
    await audit({
      action: 'support_access.granted',
      target: { type: 'api_key', id },
      changes: { reason: { before: null, after: reason }, expires_at: { before: null, after: expires_at } },
      at: now,
    });
    return { id, tenant_id: tenantId, api_key: apiKey, expires_at };
  });
}

/** Lists the valid support keys of a tenant, or of all tenants. */
export async function listSupport({ db, now }: Operator, tenantId: string | undefined) {
  const where = tenantId === undefined ? {} : { tenant_id: (await tenantOf(db, tenantId)).id };
  const rows = await db.models.supportKey.findAll({ where, order: ['id'], raw: true });
  return rows
    .filter(({ expires_at }) => expires_at > now)
    .map(({ id, tenant_id, hint, reason, created_at, last_used_at, expires_at }) => ({
      ...{ id, tenant_id, hint, reason, created_at: isoTime(created_at), expires_at: isoTime(expires_at) },
      last_used_at: isoTimeOrNull(last_used_at),
    }));
}

/** Ends a support key before it expires. */
export function revokeSupport({ db, now }: Operator, id: string) {
  return unitOfWork(db, async (transaction) => {
    const key = isId('api_key', id)
      ? await db.models.supportKey.findByPk(id, { transaction, lock: true, raw: true })
      : null;
    if (!key) throw new CommandError(`there is no support key ${id}; see plat-server support list`);
    await db.models.supportKey.destroy({ where: { id }, transaction });
    const target = { type: 'api_key', id };
    const change = openChange({ db, tenantId: key.tenant_id, now }, transaction, OPERATOR);
    await change.audit({ action: 'support_access.revoked', target, at: now });
    return { revoked: id, tenant_id: key.tenant_id };
  });
}
