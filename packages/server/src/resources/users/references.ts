import { didYouMean, isId } from '@plat/contract';
import type { WriteContext } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { CLIENTS } from '../../db/tables/clients.ts';
import { LOCATIONS } from '../../db/tables/locations.ts';
import { ApiError } from '../../kernel/api-error.ts';

/**
 * Checks that a role exists. Roles are never deleted or renamed, so no lock is needed.
 * @throws {@link ApiError} ROLE_NOT_FOUND
 */
export async function checkRole(ctx: WriteContext, name: string): Promise<void> {
  const { db, tenantId: tenant_id, transaction } = ctx;
  if (await db.models.role.findOne({ where: { tenant_id, name }, transaction, raw: true })) return;
  const roles = await db.models.role.findAll({ attributes: ['name'], where: { tenant_id }, transaction, raw: true });
  const names = roles.map((role) => role.name);
  throw new ApiError('ROLE_NOT_FOUND', `There is no role ${name} in the tenant${didYouMean(name, names)}`);
}

/**
 * Checks and locks the client and the location of a user. Both must exist, and a client's location must belong to that
 * client. A group's location is allowed for every user.
 * @throws {@link ApiError} CLIENT_NOT_FOUND, LOCATION_NOT_FOUND, UNPROCESSABLE
 */
export async function checkClientAndLocation(
  ctx: WriteContext,
  clientId: string | null,
  locationId: string | null,
): Promise<void> {
  if (clientId !== null) {
    await findById(ctx, {
      table: CLIENTS,
      columns: ['id'],
      kind: 'client',
      id: clientId,
      missing: 'CLIENT_NOT_FOUND',
    });
  }
  if (locationId === null) return;
  const { owner_id } = await findById(ctx, {
    table: LOCATIONS,
    columns: ['owner_id'],
    kind: 'location',
    id: locationId,
    missing: 'LOCATION_NOT_FOUND',
  });
  if (isId('client', owner_id) && owner_id !== clientId) {
    throw new ApiError(
      'UNPROCESSABLE',
      'The location belongs to another client than the user; give client_id and location_id that go together, or null',
    );
  }
}
