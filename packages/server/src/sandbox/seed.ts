import { SANDBOX } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { seededId } from '../kernel/ids.ts';
import { emailHash } from '../kernel/mail-address.ts';

interface Seeded {
  readonly tenantId: string;
  /** Time of the tenant's creation. The seeded content has this date, also after a reset. */
  readonly at: number;
}

/**
 * Inserts the seeded content of a sandbox: two clients with a default location each, a member and a viewer, and a group
 * of both clients (specification, What the service does). Adds a few sample invoices.
 */
export async function seedSandbox(
  { models }: Database,
  transaction: Transaction,
  { tenantId, at }: Seeded,
): Promise<void> {
  const own = { tenant_id: tenantId, created_at: at, updated_at: at };
  const clients = SANDBOX.clients.map((content, index) => ({ ...content, id: seededId(tenantId, 'client', index) }));
  const groupId = seededId(tenantId, 'group', 0);
  const options = { transaction };

  await models.client.bulkCreate(
    clients.map(({ id, client }) => ({ ...own, ...client, id })),
    options,
  );
  await models.location.bulkCreate(
    clients.map((owner, index) => ({
      ...own,
      ...owner.location,
      id: seededId(tenantId, 'location', index),
      owner_id: owner.id,
      default_of: owner.id,
    })),
    options,
  );
  await models.user.bulkCreate(
    SANDBOX.users.map((user, index) => ({
      ...own,
      ...user,
      id: seededId(tenantId, 'user', index + 1),
      email_hash: emailHash(user.email),
      status: 'active' as const,
      client_id: null,
      location_id: null,
      activated_at: at,
      deactivated_at: null,
      invitation_hash: null,
      invitation_expires_at: null,
    })),
    options,
  );
  await models.group.create({ ...own, ...SANDBOX.group, id: groupId, member_count: clients.length }, options);
  await models.groupMember.bulkCreate(
    clients.map(({ id }) => ({ ...own, group_id: groupId, client_id: id })),
    options,
  );
  await seedBilling(models, transaction, { tenantId, at });
}

async function seedBilling(models: Database['models'], transaction: Transaction, { tenantId, at }: Seeded) {
  const own = { tenant_id: tenantId, created_at: at, updated_at: at };
  const invoices = SANDBOX.invoices.map((content, index) => ({ ...content, id: seededId(tenantId, 'invoice', index) }));
  await models.invoice.bulkCreate(
    invoices.map(({ id, invoice: { lines, ...invoice }, days }) => ({
      ...own,
      ...invoice,
      id,
      period_start: at + days.period_start * DAY_MS,
      period_end: at + days.period_end * DAY_MS,
      due_at: at + days.due_at * DAY_MS,
      invoice_lines: JSON.stringify(lines),
    })),
    { transaction },
  );
  const payments = invoices.flatMap(({ id, payments }) => payments.map((payment) => ({ ...payment, invoice_id: id })));
  await models.payment.bulkCreate(
    payments.map((payment, index) => ({ ...own, ...payment, id: seededId(tenantId, 'payment', index) })),
    { transaction },
  );
}
