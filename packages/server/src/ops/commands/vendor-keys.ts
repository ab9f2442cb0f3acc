import { isId } from '@plat/contract';
import { mintVendorKey } from '../../auth/api-keys.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { isoTime } from '../../kernel/clock.ts';
import { CommandError, type Operator } from './operator.ts';

/** Creates a key of a billing system. It opens /operator/v1 and nothing else. */
export function mintVendor({ db, now }: Operator) {
  return unitOfWork(db, async (transaction) => {
    const { id, apiKey } = await mintVendorKey(db, transaction, now);
    return { id, api_key: apiKey };
  });
}

/** Lists the vendor keys, oldest first. */
export async function listVendorKeys({ db }: Operator) {
  const rows = await db.models.apiKey.findAll({ where: { tenant_id: null }, order: ['id'], raw: true });
  return rows.map(({ id, hint, created_at }) => ({ id, hint, created_at: isoTime(created_at) }));
}

/** Deletes a vendor key. The next request with it is refused. */
export function revokeVendorKey({ db }: Operator, id: string) {
  return unitOfWork(db, async (transaction) => {
    const where = { id, tenant_id: null };
    const deleted = isId('api_key', id) ? await db.models.apiKey.destroy({ where, transaction }) : 0;
    if (deleted === 0) throw new CommandError(`there is no vendor key ${id}; see plat-server keys list-vendor`);
    return { revoked: id };
  });
}
