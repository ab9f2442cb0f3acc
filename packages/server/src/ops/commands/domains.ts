import { isId } from '@plat/contract';
import { domain } from '@plat/contract/schemas';
import { presentClient } from '../../accounts/present-client.ts';
import { OPERATOR, openChange } from '../../change.ts';
import { changedFields } from '../../db/changes.ts';
import type { ClientRow } from '../../db/models/client.model.ts';
import { forUpdate, lockTenant } from '../../db/row-lock.ts';
import { execute, select } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { laterThan } from '../../kernel/clock.ts';
import { CommandError, type Operator, readOption } from './operator.ts';

/** The client that has a domain. */
export type DomainHolder = {
  readonly domain: string;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly sandbox: boolean;
  readonly client_id: string;
  readonly client_name: string;
};

/** Finds the clients that have a domain: one of a production tenant at most, and one of each sandbox. */
export async function findDomain({ db }: Operator, given: string): Promise<DomainHolder[]> {
  const rows = await select<Omit<DomainHolder, 'sandbox'> & { readonly sandbox: 0 | 1 }>(
    db,
    `SELECT c.custom_domain AS domain, c.tenant_id, t.name AS tenant_name, t.sandbox, c.id AS client_id, c.name AS client_name
     FROM clients c JOIN tenants t ON t.id = c.tenant_id
     WHERE c.custom_domain = :domain ORDER BY t.sandbox, c.tenant_id LIMIT 1000`,
    { domain: readDomain(given) },
  );
  return rows.map((row) => ({ ...row, sandbox: row.sandbox === 1 }));
}

/**
 * Takes a domain from the client of the production tenant that has it, or of the tenant named. The audit trail of the
 * tenant names the operator, and client.updated is emitted.
 * @throws {@link CommandError} when no such client has the domain
 */
export async function releaseDomain(operator: Operator, given: string, tenantId: string | undefined) {
  const { db, now } = operator;
  if (tenantId !== undefined && !isId('tenant', tenantId)) {
    throw new CommandError(`there is no tenant ${tenantId}; see plat-server tenants list`);
  }
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
    const [before] = await select<ClientRow>(
      db,
      `SELECT tenant_id, id, name, status, slug, custom_domain, created_at, updated_at FROM clients
       WHERE tenant_id = :tenantId AND id = :clientId AND custom_domain = :domain${forUpdate(db)}`,
      { tenantId: holder.tenant_id, clientId: holder.client_id, domain: holder.domain },
      transaction,
    );
    if (!before) throw new CommandError('the client was changed in the meantime; run the command again');
    const after = { ...before, custom_domain: null, updated_at: laterThan(before.updated_at, now) };
    await execute(
      db,
      `UPDATE clients SET custom_domain = NULL, updated_at = :updatedAt WHERE tenant_id = :tenantId AND id = :clientId`,
      { tenantId: holder.tenant_id, clientId: holder.client_id, updatedAt: after.updated_at },
      transaction,
    );
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
