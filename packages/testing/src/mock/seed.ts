import { BUILT_IN_ROLE_TITLES, BUILT_IN_ROLES, SAMPLE_CATALOG, SANDBOX, type User } from '@plat/contract';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;

/** Fills a world with the content of a new sandbox. */
export function seedWorld(world: World, now: number): void {
  const at = new Date(now).toISOString();
  const dates = { created_at: at, updated_at: at };
  seedCatalog(world, dates);
  seedUsers(world, dates);
  const clients = SANDBOX.clients.map(({ client, location }) => {
    const client_id = world.newId('client');
    world.clients.set(client_id, { object: 'client', id: client_id, ...client, ...dates });
    const id = world.newId('location');
    const owner = { client_id, group_id: null, default: true };
    world.locations.set(id, { object: 'location', id, ...owner, ...location, ...dates });
    return client_id;
  });
  const id = world.newId('group');
  world.groups.set(id, { object: 'group', id, ...SANDBOX.group, member_count: clients.length, ...dates });
  for (const client_id of clients) world.members.push({ object: 'group_member', group_id: id, client_id, ...dates });
  seedBilling(world, now, dates);
}

interface Dates {
  readonly created_at: string;
  readonly updated_at: string;
}

function seedCatalog(world: World, dates: Dates): void {
  for (const module of SAMPLE_CATALOG.modules) {
    const id = world.newId('module');
    world.modules.set(id, { object: 'module', id, ...module, ...dates });
  }
  for (const plan of SAMPLE_CATALOG.plans) {
    const id = world.newId('plan');
    world.plans.set(id, { object: 'plan', id, ...plan, ...dates });
    if (plan.slug === SANDBOX.plan) world.tenant = { ...world.tenant, plan_id: id };
  }
  const all = [...new Set(SAMPLE_CATALOG.modules.flatMap(({ capabilities }) => capabilities))].sort();
  for (const name of BUILT_IN_ROLES) {
    const id = world.newId('role');
    // A viewer has the read capabilities.
    const capabilities = name === 'viewer' ? all.filter((capability) => capability.endsWith(':read')) : all;
    const title = BUILT_IN_ROLE_TITLES[name];
    world.roles.set(id, { object: 'role', id, name, title, description: null, built_in: true, capabilities, ...dates });
  }
}

function seedUsers(world: World, dates: Dates): void {
  for (const user of [{ role: 'owner', email: 'owner@sandbox.example', name: null }, ...SANDBOX.users]) {
    const id = world.newId('user');
    const active: User = {
      object: 'user',
      id,
      ...user,
      status: 'active',
      client_id: null,
      location_id: null,
      activated_at: dates.created_at,
      deactivated_at: null,
      ...dates,
    };
    world.users.set(id, active);
  }
}

function seedBilling(world: World, now: number, dates: Dates): void {
  const iso = (day: number): string => new Date(now + day * DAY_MS).toISOString();
  for (const { invoice, days, payments } of SANDBOX.invoices) {
    const invoice_id = world.newId('invoice');
    const period = { period_start: iso(days.period_start), period_end: iso(days.period_end), due_at: iso(days.due_at) };
    world.invoices.set(invoice_id, { object: 'invoice', id: invoice_id, ...invoice, ...period, ...dates });
    for (const payment of payments) {
      const id = world.newId('payment');
      world.payments.set(id, { object: 'payment', id, invoice_id, ...payment, ...dates });
    }
  }
}
