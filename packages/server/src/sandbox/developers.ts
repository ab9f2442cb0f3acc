import { SANDBOX } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { findPlanId } from '../accounts/catalog.ts';
import { createTenant } from '../accounts/tenants.ts';
import { type Actor, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import { emailHash, formerEmailHash } from '../kernel/mail-address.ts';
import { seedSandbox } from './seed.ts';

/**
 * A developer account with its sandbox. They are created together: each account owns exactly one sandbox
 * (specification).
 */
export interface Developer {
  readonly id: string;
  readonly email: string;
  readonly tenantId: string;
}

interface NewDeveloper {
  readonly email: string;
  readonly actor: Actor;
  readonly now: number;
  /** Name of the sandbox. */
  readonly name?: string;
  /** True if the sandbox is seeded. Defaults to true. */
  readonly seed?: boolean;
}

/** Creates a developer account and its seeded sandbox. The email address must be unused: see {@link findDeveloper}. */
export async function createDeveloper(
  db: Database,
  transaction: Transaction,
  { email, actor, now, name = SANDBOX.name, seed = true }: NewDeveloper,
): Promise<Developer> {
  const owner = { email, name: null };
  const planId = await findPlanId(db, transaction, SANDBOX.plan);
  const { tenantId } = await createTenant(db, transaction, { name, sandbox: true, planId, owner, now });
  if (seed) await seedSandbox(db, transaction, { tenantId, at: now });
  const id = newId('developer', now);
  await db.models.developer.create(
    { id, email, email_hash: emailHash(email), tenant_id: tenantId, created_at: now, updated_at: now },
    { transaction },
  );
  const change = openChange({ db, tenantId, now }, transaction, actor);
  await change.audit({ action: 'sandbox.created', target: { type: 'tenant', id: tenantId }, at: now });
  return { id, email, tenantId };
}

/**
 * Returns the developer account with an email address. Creates it with its sandbox if there is none. Of two concurrent
 * calls one violates the unique index of addresses.
 */
export async function ensureDeveloper(
  db: Database,
  transaction: Transaction,
  developer: NewDeveloper,
): Promise<Developer> {
  return (await findDeveloper(db, transaction, developer.email)) ?? (await createDeveloper(db, transaction, developer));
}

/** Finds the developer account with an email address, ignoring case. */
export async function findDeveloper(
  db: Database,
  transaction: Transaction | null,
  email: string,
): Promise<Developer | undefined> {
  const [hash, former] = [emailHash(email), formerEmailHash(email)];
  const rows = await db.models.developer.findAll({ where: { email_hash: [hash, former] }, transaction, raw: true });
  // If two accounts share an address, from before addresses were canonical, the one with exactly this spelling.
  const row = rows.find(({ email_hash }) => former.equals(email_hash)) ?? rows[0];
  return row && { id: row.id, email: row.email, tenantId: row.tenant_id };
}
