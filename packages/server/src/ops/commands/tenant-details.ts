import { isId } from '@plat/contract';
import { domain, email } from '@plat/contract/schemas';
import { Op } from 'sequelize';
import { findTenantKey } from '../../accounts/api-keys.ts';
import { presentTenant } from '../../accounts/tenants.ts';
import { select } from '../../db/sql.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';
import { isValid } from '../../http/validate.ts';
import { isoTimeOrNull } from '../../kernel/clock.ts';
import { emailHash } from '../../kernel/mail-address.ts';
import type { Operator } from './operator.ts';
import { showQuotas } from './quotas.ts';
import { tenantOf } from './tenant-of.ts';

const MAX_FOUND = 100;

/** Returns a tenant with its owners, key, endpoints and use, in one row. */
export async function showTenant(operator: Operator, tenantId: string) {
  const { db, now } = operator;
  const tenant = await tenantOf(db, tenantId);
  const where = { tenant_id: tenantId };
  const owners = await db.models.user.findAll({ where: { ...where, role: 'owner', status: 'active' }, raw: true });
  const endpoints = await db.models.webhookEndpoint.findAll({ where, raw: true });
  const key = await findTenantKey(db, tenantId, now);
  const plan = tenant.plan_id === null ? null : await db.models.plan.findByPk(tenant.plan_id, { raw: true });
  const quotas = await showQuotas(operator, tenantId);
  return {
    ...printable(tenant),
    plan: plan?.slug ?? null,
    owners: owners.map((owner) => `${owner.id} ${owner.email}`),
    api_key: key?.hint ?? null,
    api_key_last_used_at: key?.last_used_at ?? null,
    previous_key: key?.previous_key?.hint ?? null,
    previous_key_last_used_at: key?.previous_key?.last_used_at ?? null,
    previous_key_expires_at: key?.previous_key?.expires_at ?? null,
    endpoints: endpoints.length,
    endpoints_disabled: endpoints.filter(({ status }) => status === 'disabled').length,
    endpoints_paused: endpoints.filter(({ paused_until }) => paused_until !== null && paused_until > now).length,
    sessions: await db.models.session.count({ where }),
    support_keys: await db.models.supportKey.count({ where: { ...where, expires_at: { [Op.gt]: now } } }),
    ...Object.fromEntries(quotas.map(({ quota, used, limit }) => [quota, `${used} of ${limit}`])),
  };
}

/** Finds tenants by a part of their name, a domain of their clients, or the email address of a user. */
export async function searchTenants({ db }: Operator, text: string) {
  const ids = new Set<string>();
  if (isValid(email(), text)) {
    const users = await db.models.user.findAll({ where: { email_hash: emailHash(text) }, limit: MAX_FOUND, raw: true });
    for (const { tenant_id } of users) ids.add(tenant_id);
  }
  const custom_domain = text.toLowerCase();
  if (isValid(domain(), custom_domain)) {
    const clients = await db.models.client.findAll({ where: { custom_domain }, limit: MAX_FOUND, raw: true });
    for (const { tenant_id } of clients) ids.add(tenant_id);
  }
  if (isId('tenant', text)) ids.add(text);
  const contains = `%${text.replace(/[!%_]/g, '!$&')}%`;
  const named = await select<{ id: string }>(
    db,
    `SELECT id FROM tenants WHERE name LIKE :contains ESCAPE '!' ORDER BY id DESC LIMIT ${MAX_FOUND}`,
    { contains },
  );
  for (const { id } of named) ids.add(id);
  const found = await db.models.tenant.findAll({
    where: { id: [...ids] },
    order: [['id', 'DESC']],
    limit: MAX_FOUND,
    raw: true,
  });
  return found.map(printable);
}

/** The tenant of the API as a printed row, with the time after which it is deleted. */
export function printable(row: TenantRow) {
  const { object: _, ...tenant } = presentTenant(row);
  return { ...tenant, delete_after: isoTimeOrNull(row.delete_after) };
}
