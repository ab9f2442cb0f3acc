import type { Transaction } from 'sequelize';
import { emailHash } from '../accounts/email.ts';
import type { Database } from '../db/database.ts';
import { seededId } from '../kernel/ids.ts';

interface Sandbox {
  readonly tenantId: string;
  /** When the tenant was made: what its seeded content is dated by, a reset's too. */
  readonly at: number;
}

const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;

const CLIENTS = [
  // A tier-2 customer, and a tier-3 customer: one of the tier-2 customer's own.
  { name: 'Harbour Coffee Roasters', slug: 'harbour-coffee', address: 'Pier Road 4, 20457 Hamburg' },
  { name: 'Harbour Coffee, Pier Nine', slug: 'harbour-coffee-pier-nine', address: 'Pier Nine 1, 20459 Hamburg' },
];

const USERS = [
  { role: 'member', email: 'member@sandbox.example', name: 'Mia Member' },
  { role: 'viewer', email: 'viewer@sandbox.example', name: 'Vic Viewer' },
];

const INVOICES = [
  { number: 'SBX-0001', status: 'paid', paid: 4900, payments: ['succeeded'] },
  { number: 'SBX-0002', status: 'paid', paid: 4900, payments: ['failed', 'succeeded'] },
  { number: 'SBX-0003', status: 'open', paid: 0, payments: [] },
] as const;

/**
 * The seeded content of a sandbox: two clients with a default location each, a member and a viewer beside the owner,
 * and a group of both clients (specification, What the service does); with a few invoices for a first look.
 */
export async function seedSandbox(
  { models }: Database,
  transaction: Transaction,
  { tenantId, at }: Sandbox,
): Promise<void> {
  const own = { tenant_id: tenantId, created_at: at, updated_at: at };
  const clientIds = CLIENTS.map((_, index) => seededId(tenantId, 'client', index));
  const groupId = seededId(tenantId, 'group', 0);
  const options = { transaction };

  await models.client.bulkCreate(
    CLIENTS.map(({ name, slug }, index) => ({
      ...own,
      id: seededId(tenantId, 'client', index),
      name,
      slug,
      status: 'active' as const,
      custom_domain: null,
    })),
    options,
  );
  await models.location.bulkCreate(
    clientIds.map((clientId, index) => ({
      ...own,
      id: seededId(tenantId, 'location', index),
      owner_id: clientId,
      default_of: clientId,
      name: 'Main',
      address: CLIENTS[index]?.address ?? null,
      timezone: 'Europe/Berlin',
      country: 'DE',
    })),
    options,
  );
  await models.user.bulkCreate(
    USERS.map((user, index) => ({
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
  await models.group.create(
    {
      ...own,
      id: groupId,
      name: 'Harbour',
      slug: 'harbour',
      membership_policy: 'invite_only',
      member_count: clientIds.length,
    },
    options,
  );
  await models.groupMember.bulkCreate(
    clientIds.map((client_id) => ({ ...own, group_id: groupId, client_id })),
    options,
  );
  await seedBilling(models, transaction, { tenantId, at });
}

/** One invoice a month, the last one open. */
async function seedBilling(models: Database['models'], transaction: Transaction, { tenantId, at }: Sandbox) {
  const own = { tenant_id: tenantId, created_at: at, updated_at: at };
  const month = MONTH_DAYS * DAY_MS;
  await models.invoice.bulkCreate(
    INVOICES.map(({ number, status, paid }, index) => {
      const start = at - (INVOICES.length - index) * month;
      return {
        ...own,
        id: seededId(tenantId, 'invoice', index),
        number,
        status,
        currency: 'EUR',
        amount_due: 4900,
        amount_paid: paid,
        period_start: start,
        period_end: start + month,
        due_at: start + month + 14 * DAY_MS,
        invoice_lines: JSON.stringify([{ description: 'Growth plan, one month', quantity: 1, amount: 4900 }]),
      };
    }),
    { transaction },
  );
  const payments = INVOICES.flatMap((invoice, index) => invoice.payments.map((status) => ({ status, index })));
  await models.payment.bulkCreate(
    payments.map(({ status, index }, number) => ({
      ...own,
      id: seededId(tenantId, 'payment', number),
      invoice_id: seededId(tenantId, 'invoice', index),
      status,
      currency: 'EUR',
      amount: 4900,
      method: 'card',
    })),
    { transaction },
  );
}
