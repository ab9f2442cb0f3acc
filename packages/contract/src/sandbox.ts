import type { Client, Group, Invoice, Location, Module, Payment, Plan, User } from './generated.ts';

/** The fields of an object that are the same in each sandbox. */
type Content<T, K extends keyof T = never> = Omit<T, 'object' | 'id' | 'created_at' | 'updated_at' | K>;

/** Modules and plans of a platform whose operator configured none. */
export const SAMPLE_CATALOG: {
  readonly modules: readonly Content<Module>[];
  readonly plans: readonly Content<Plan>[];
} = {
  modules: [
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
  ],
  plans: [
    {
      slug: 'starter',
      name: 'Starter',
      currency: 'EUR',
      amount: 0,
      interval: 'month',
      capabilities: ['orders:read', 'orders:manage'],
    },
    {
      slug: 'growth',
      name: 'Growth',
      currency: 'EUR',
      amount: 4900,
      interval: 'month',
      capabilities: ['orders:read', 'orders:manage', 'analytics:read', 'loyalty:read'],
    },
    {
      slug: 'scale',
      name: 'Scale',
      currency: 'EUR',
      amount: 199_000,
      interval: 'year',
      capabilities: [
        'orders:read',
        'orders:manage',
        'analytics:read',
        'analytics:export',
        'loyalty:read',
        'loyalty:manage',
      ],
    },
  ],
};

/** An invoice for one month on the plan of the sandbox, and its payment. */
const MONTH = {
  currency: 'EUR',
  amount_due: 4900,
  lines: [{ description: 'Growth plan, one month', quantity: 1, amount: 4900 }],
};
const BY_CARD = { currency: 'EUR', amount: 4900, method: 'card' };

/**
 * Objects that a new sandbox is seeded with, besides its owner and the built-in roles. They have no ids, and days
 * instead of times.
 */
export const SANDBOX: {
  readonly name: string;
  /** Slug of the plan, if the catalog has it. */
  readonly plan: string;
  /** Clients, each with its default location. */
  readonly clients: readonly {
    readonly client: Content<Client>;
    readonly location: Content<Location, 'client_id' | 'group_id' | 'default'>;
  }[];
  /** Users that are active from the start and belong to no client. */
  readonly users: readonly Pick<User, 'role' | 'email' | 'name'>[];
  /** The group that contains all the clients. */
  readonly group: Content<Group, 'member_count'>;
  readonly invoices: readonly {
    readonly invoice: Content<Invoice, 'period_start' | 'period_end' | 'due_at'>;
    /** Days since the creation of the sandbox. */
    readonly days: { readonly period_start: number; readonly period_end: number; readonly due_at: number };
    readonly payments: readonly Content<Payment, 'invoice_id'>[];
  }[];
} = {
  name: 'Sandbox',
  plan: 'growth',
  clients: [
    // A tier-2 customer, and a tier-3 customer, which is a customer of the tier-2 customer.
    {
      client: { name: 'Harbour Coffee Roasters', status: 'active', slug: 'harbour-coffee', custom_domain: null },
      location: { name: 'Main', address: 'Pier Road 4, 20457 Hamburg', timezone: 'Europe/Berlin', country: 'DE' },
    },
    {
      client: {
        name: 'Harbour Coffee, Pier Nine',
        status: 'active',
        slug: 'harbour-coffee-pier-nine',
        custom_domain: null,
      },
      location: { name: 'Main', address: 'Pier Nine 1, 20459 Hamburg', timezone: 'Europe/Berlin', country: 'DE' },
    },
  ],
  users: [
    { role: 'member', email: 'member@sandbox.example', name: 'Mia Member' },
    { role: 'viewer', email: 'viewer@sandbox.example', name: 'Vic Viewer' },
  ],
  group: { name: 'Harbour', slug: 'harbour', membership_policy: 'invite_only' },
  invoices: [
    {
      invoice: { number: 'SBX-0001', status: 'paid', ...MONTH, amount_paid: 4900 },
      days: { period_start: -90, period_end: -60, due_at: -46 },
      payments: [{ status: 'succeeded', ...BY_CARD }],
    },
    {
      invoice: { number: 'SBX-0002', status: 'paid', ...MONTH, amount_paid: 4900 },
      days: { period_start: -60, period_end: -30, due_at: -16 },
      payments: [
        { status: 'failed', ...BY_CARD },
        { status: 'succeeded', ...BY_CARD },
      ],
    },
    {
      invoice: { number: 'SBX-0003', status: 'open', ...MONTH, amount_paid: 0 },
      days: { period_start: -30, period_end: 0, due_at: 14 },
      payments: [],
    },
  ],
};
