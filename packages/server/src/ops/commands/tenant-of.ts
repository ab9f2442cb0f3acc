import { isId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { findTenant } from '../../accounts/tenants.ts';
import type { Database } from '../../db/database.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';
import { CommandError } from '../command-error.ts';

/**
 * Returns the tenant of a command, locked inside a transaction.
 * @throws {@link CommandError}
 */
export async function tenantOf(db: Database, id: string, transaction: Transaction | null = null): Promise<TenantRow> {
  const tenant = isId('tenant', id) ? await findTenant(db, id, transaction) : null;
  if (!tenant) throw new CommandError(`there is no tenant ${id}; see plat-server tenants list`);
  return tenant;
}
