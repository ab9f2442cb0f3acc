import { isId } from '@plat/contract';
import type { WriteContext } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { CLIENTS } from '../../db/tables/clients.ts';
import { LOCATIONS } from '../../db/tables/locations.ts';
import { ApiError } from '../../kernel/api-error.ts';

/**
 * A role is never deleted or renamed: there is nothing to lock.
 * @throws {@link ApiError} ROLE_NOT_FOUND
 */
export async function checkRole(ctx: WriteContext, name: string): Promise<void> {
  const role = await ctx.db.models.role.findOne({
    where: { tenant_id: ctx.tenantId, name },
    transaction: ctx.transaction,
    raw: true,
  });
  if (!role) throw new ApiError('ROLE_NOT_FOUND', `There is no role ${name} in the tenant`);
}

/**
 * The client and the location of a user, locked: both are there, and a client's location is that client's. A group's
 * is for everybody.
 * @throws {@link ApiError} CLIENT_NOT_FOUND, LOCATION_NOT_FOUND, UNPROCESSABLE
 */
export async function checkPlace(ctx: WriteContext, clientId: string | null, locationId: string | null): Promise<void> {
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
