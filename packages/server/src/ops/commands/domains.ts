import { domain } from '@plat/contract/schemas';
import { presentClient } from '../../accounts/present-client.ts';
import { OPERATOR, openChange } from '../../change.ts';
import { changedFields } from '../../db/changes.ts';
import { lockTenant } from '../../db/row-lock.ts';
import type { ClientRow } from '../../db/tables/clients.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { laterThan } from '../../kernel/clock.ts';
import { CommandError } from '../command-error.ts';
import { type Operator, readOption } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** The client that has a domain. */
export type DomainHolder = {
  readonly domain: string;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly sandbox: boolean;
  readonly client_id: string;
  readonly client_name: string;
};

/** Finds the clients that have a domain: at most one of all production tenants, and one of each sandbox. */
export async function findDomain({ db }: Operator, given: string): Promise<DomainHolder[]> {
  const domain = readDomain(given);
  const clients = await db.models.client.findAll({
    where: { custom_domain: domain },
    // The namespace of production tenants, which is empty, comes first.
    order: ['domain_space', 'tenant_id'],
    limit: 1000,
    raw: true,
  });
  const ids = clients.map(({ tenant_id }) => tenant_id);
  const tenants = await db.models.tenant.findAll({ where: { id: ids }, raw: true });
  const byId = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  return clients.flatMap(({ tenant_id, id, name }) => {
    const tenant = byId.get(tenant_id);
    if (!tenant) return [];
    const sandbox = tenant.sandbox === 1;
    return [{ domain, tenant_id, tenant_name: tenant.name, sandbox, client_id: id, client_name: name }];
  });
}

/**
 * Removes a domain from the client of a production tenant, or of the given tenant. The audit trail names the operator, and
 * client.updated is emitted.
 * @throws {@link CommandError} when no such client has the domain
 */
export async function releaseDomain(operator: Operator, given: string, tenantId: string | undefined) {
  const { db, now } = operator;
  if (tenantId !== undefined) await tenantOf(db, tenantId);
  const holders = await findDomain(operator, given);
  const holder = holders.find((one) => (tenantId === undefined ? !one.sandbox : one.tenant_id === tenantId));
  if (!holder) {
    const where = tenantId === undefined ? 'no production tenant has' : `the tenant ${tenantId} does not have`;
    throw new CommandError(
      `${where} the domain ${readDomain(given)}; see plat-server domains find ${readDomain(given)}`,
    );
  }
  await unitOfWork(db, async (transaction) => {
    const change = openChange({ db, tenantId: holder.tenant_id, now }, transaction, OPERATOR);
    await lockTenant(db, holder.tenant_id, transaction);
    const where = { tenant_id: holder.tenant_id, id: holder.client_id, custom_domain: holder.domain };
    const before: ClientRow | null = await db.models.client.findOne({ where, transaction, lock: true, raw: true });
    if (!before) throw new CommandError('the client was changed in the meantime; run the command again');
    const after = { ...before, custom_domain: null, updated_at: laterThan(before.updated_at, now) };
    await db.models.client.update({ custom_domain: null, updated_at: after.updated_at }, { where, transaction });
    const client = presentClient(after);
    await change.emit('client.updated', client, after.updated_at);
    await change.audit({
      action: 'client.updated',
      target: { type: 'client', id: before.id },
      changes: changedFields(presentClient(before), client),
      at: after.updated_at,
    });
  });
  return { released: holder.domain, tenant_id: holder.tenant_id, client_id: holder.client_id };
}

function readDomain(given: string): string {
  return readOption('the domain', domain(), given);
}
