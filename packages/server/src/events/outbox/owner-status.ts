import { isId } from '@plat/contract';

/** The owner of deliveries, with the status of its tenant; null without a row in the table of tenants. */
interface Owner {
  readonly tenant_id: string;
  readonly tenant_status: string | null;
}

/** True for a tenant without a row: an import inserts it last. An app never has one. */
export function isBeingImported({ tenant_id, tenant_status }: Owner): boolean {
  return tenant_status === null && !isId('app', tenant_id);
}

/** True for a tenant that is suspended, or has a status that only a newer version has. */
export function isSuspended({ tenant_status }: Owner): boolean {
  return tenant_status !== null && tenant_status !== 'active';
}
