import type { Catalog } from '../accounts/catalog.ts';

/** What a development server offers until its operator says otherwise. */
export const SAMPLE_CATALOG: Catalog = {
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
    },
    {
      slug: 'loyalty',
      name: 'Loyalty',
      description: 'Points, cards and campaigns.',
      capabilities: ['loyalty:read', 'loyalty:manage'],
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
