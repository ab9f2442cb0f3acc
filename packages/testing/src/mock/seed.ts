import { BUILT_IN_ROLES, type Invoice, type Payment, type User } from '@plat/contract';
import type { World } from './world.ts';

const MONTH_MS = 30 * 86_400_000;

/** Fills a world with what every sandbox of the platform begins with. */
export function seedWorld(world: World, now: number): void {
  const at = new Date(now).toISOString();
  const dates = { created_at: at, updated_at: at };
  seedCatalog(world, dates);
  seedUsers(world, dates);
  const clients = CLIENTS.map(({ name, slug, address }) => {
    const id = world.newId('client');
    world.clients.set(id, { object: 'client', id, name, status: 'active', slug, custom_domain: null, ...dates });
    const location = world.newId('location');
    world.locations.set(location, {
      object: 'location',
      id: location,
      client_id: id,
      group_id: null,
      name: 'Main',
      address,
      timezone: 'Europe/Berlin',
      country: 'DE',
      default: true,
      ...dates,
    });
    return id;
  });
  const id = world.newId('group');
  world.groups.set(id, {
    object: 'group',
    id,
    name: 'Harbour',
    slug: 'harbour',
    membership_policy: 'invite_only',
    member_count: clients.length,
    ...dates,
  });
  for (const client_id of clients) world.members.push({ object: 'group_member', group_id: id, client_id, ...dates });
  seedBilling(world, now);
}

interface Dates {
  readonly created_at: string;
  readonly updated_at: string;
}

const CLIENTS = [
  { name: 'Harbour Coffee Roasters', slug: 'harbour-coffee', address: 'Pier Road 4, 20457 Hamburg' },
  { name: 'Harbour Coffee, Pier Nine', slug: 'harbour-coffee-pier-nine', address: 'Pier Nine 1, 20459 Hamburg' },
];

const MODULES = [
  {
    slug: 'analytics',
    name: 'Analytics',
    description: 'Sales and stock at a glance.',
    capabilities: ['analytics:read', 'analytics:export'],
    launch_url: 'http://127.0.0.1:4020/launch',
    audience: 'analytics',
  },
  {
    slug: 'orders',
    name: 'Orders',
    description: 'Orders from the first click to the door.',
    capabilities: ['orders:read', 'orders:manage'],
    launch_url: null,
    audience: null,
  },
  {
    slug: 'loyalty',
    name: 'Loyalty',
    description: 'Points, cards and campaigns.',
    capabilities: ['loyalty:read', 'loyalty:manage'],
    launch_url: null,
    audience: null,
  },
];

const PLANS = [
  { slug: 'starter', name: 'Starter', amount: 0, capabilities: ['orders:read', 'orders:manage'] },
  { slug: 'growth', name: 'Growth', amount: 4900, capabilities: ['orders:read', 'orders:manage', 'analytics:read'] },
];

function seedCatalog(world: World, dates: Dates): void {
  for (const module of MODULES) {
    const id = world.newId('module');
    world.modules.set(id, { object: 'module', id, ...module, ...dates });
  }
  for (const plan of PLANS) {
    const id = world.newId('plan');
    world.plans.set(id, { object: 'plan', id, currency: 'EUR', interval: 'month', ...plan, ...dates });
    if (plan.slug === 'growth') world.tenant = { ...world.tenant, plan_id: id };
  }
  const all = [...new Set(MODULES.flatMap(({ capabilities }) => capabilities))].sort();
  for (const name of BUILT_IN_ROLES) {
    const id = world.newId('role');
    // A viewer sees what only reads.
    const capabilities = name === 'viewer' ? all.filter((capability) => capability.endsWith(':read')) : all;
    const title = name === 'client_admin' ? 'Client administrator' : name.charAt(0).toUpperCase() + name.slice(1);
    world.roles.set(id, { object: 'role', id, name, title, description: null, built_in: true, capabilities, ...dates });
  }
}

const USERS = [
  { role: 'owner', email: 'owner@sandbox.example', name: null },
  { role: 'member', email: 'member@sandbox.example', name: 'Mia Member' },
  { role: 'viewer', email: 'viewer@sandbox.example', name: 'Vic Viewer' },
];

function seedUsers(world: World, dates: Dates): void {
  for (const user of USERS) {
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

/** An invoice that was paid, at the second try, and one that is open. */
function seedBilling(world: World, now: number): void {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const dates = { created_at: iso(now), updated_at: iso(now) };
  const money = { currency: 'EUR' };
  const addInvoice = (number: string, status: Invoice['status'], start: number): string => {
    const id = world.newId('invoice');
    world.invoices.set(id, {
      object: 'invoice',
      id,
      number,
      status,
      ...money,
      amount_due: 4900,
      amount_paid: status === 'paid' ? 4900 : 0,
      period_start: iso(start),
      period_end: iso(start + MONTH_MS),
      due_at: iso(start + MONTH_MS * 1.5),
      lines: [{ description: 'Growth plan, one month', quantity: 1, amount: 4900 }],
      ...dates,
    });
    return id;
  };
  const addPayment = (invoice_id: string, status: Payment['status']): void => {
    const id = world.newId('payment');
    world.payments.set(id, {
      object: 'payment',
      id,
      invoice_id,
      status,
      ...money,
      amount: 4900,
      method: 'card',
      ...dates,
    });
  };
  const paid = addInvoice('SBX-0001', 'paid', now - 2 * MONTH_MS);
  addPayment(paid, 'failed');
  addPayment(paid, 'succeeded');
  addInvoice('SBX-0002', 'open', now - MONTH_MS);
}
