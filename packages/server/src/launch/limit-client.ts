import { capabilityCatalog, storedCapabilities } from '../accounts/capabilities.ts';
import type { Change } from '../change.ts';
import { changedFields } from '../db/changes.ts';
import { findById } from '../db/find.ts';
import { lockReferences } from '../db/row-lock.ts';
import { CLIENTS } from '../db/tables/clients.ts';
import { ApiError } from '../kernel/api-error.ts';
import { clientLimit } from './entitlements.ts';

/**
 * Limits the capabilities of a client from the next launch on; null removes the limit.
 * @throws {@link ApiError} CLIENT_NOT_FOUND, UNPROCESSABLE for a capability that no module has
 */
export async function limitClient(
  change: Change,
  clientId: string,
  capabilities: readonly string[] | null,
): Promise<void> {
  const { db, transaction, tenantId, now } = change;
  await lockReferences(db, tenantId, transaction);
  await findById(change, {
    table: CLIENTS,
    columns: ['id'],
    kind: 'client',
    id: clientId,
    missing: 'CLIENT_NOT_FOUND',
  });
  const known = await capabilityCatalog(change);
  const unknown = capabilities?.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new ApiError('UNPROCESSABLE', `no module has the capability ${unknown}`);
  const key = { tenantId, clientId };
  const before = await clientLimit(db, transaction, key);
  const where = { tenant_id: tenantId, client_id: clientId };
  await db.models.clientLimit.destroy({ where, transaction });
  if (capabilities !== null) {
    const row = { ...where, capabilities: storedCapabilities(capabilities), created_at: now, updated_at: now };
    await db.models.clientLimit.create(row, { transaction });
  }
  const after = await clientLimit(db, transaction, key);
  const changes = changedFields({ capabilities: before }, { capabilities: after });
  if (Object.keys(changes).length === 0) return;
  await change.audit({ action: 'client.limited', target: { type: 'client', id: clientId }, changes, at: now });
}
