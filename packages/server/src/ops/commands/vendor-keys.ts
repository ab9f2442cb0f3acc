import { isId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { mintVendorKey } from '../../auth/api-keys.ts';
import { OPERATOR, openChange } from '../../change.ts';
import { NO_TENANT } from '../../db/requests.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';
import { CommandError } from '../command-error.ts';
import type { Operator } from './operator.ts';

/** Creates a key of a billing system. It opens /operator/v1 and nothing else. */
export function mintVendor({ db, now }: Operator) {
  return unitOfWork(db, async (transaction) => {
    const { id, apiKey } = await mintVendorKey(db, transaction, now);
    await record({ db, now }, transaction, 'vendor_key.created', id);
    return { id, api_key: apiKey };
  });
}

/** Lists the vendor keys, oldest first. */
export async function listVendorKeys({ db }: Operator) {
  const rows = await db.models.apiKey.findAll({ where: { tenant_id: null }, order: ['id'], raw: true });
  return rows.map(({ id, hint, created_at, last_used_at }) => ({
    ...{ id, hint, created_at: isoTime(created_at), last_used_at: isoTimeOrNull(last_used_at) },
  }));
}

/** Deletes a vendor key. The next request with it is refused. */
export function revokeVendorKey({ db, now }: Operator, id: string) {
  return unitOfWork(db, async (transaction) => {
    const where = { id, tenant_id: null };
    const deleted = isId('api_key', id) ? await db.models.apiKey.destroy({ where, transaction }) : 0;
    if (deleted === 0) throw new CommandError(`there is no vendor key ${id}; see plat-server keys list-vendor`);
    await record({ db, now }, transaction, 'vendor_key.revoked', id);
    return { revoked: id };
  });
}

/** Lists the creations and revocations of vendor keys, oldest first. */
export async function listVendorAudit({ db }: Operator) {
  const rows = await db.models.auditEvent.findAll({ where: { tenant_id: NO_TENANT }, order: ['id'], raw: true });
  return rows.map(({ created_at, action, target_id }) => ({ at: isoTime(created_at), action, key: target_id }));
}

/** A vendor key has no tenant, so only the operator can read its audit events. */
function record(
  { db, now }: Pick<Operator, 'db' | 'now'>,
  transaction: Transaction,
  action: 'vendor_key.created' | 'vendor_key.revoked',
  id: string,
): Promise<void> {
  const { audit } = openChange({ db, tenantId: NO_TENANT, now }, transaction, OPERATOR);
  return audit({ action, target: { type: 'api_key', id }, at: now });
}
