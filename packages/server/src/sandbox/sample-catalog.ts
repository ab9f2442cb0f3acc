import { UniqueConstraintError } from 'sequelize';
import { applyCatalog, type Catalog, hasCatalog } from '../accounts/catalog.ts';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';

/** Gives a platform without modules and plans the sample ones. Of two processes that start at once, one does. */
export async function ensureSampleCatalog(db: Database, now: number): Promise<void> {
  try {
    await unitOfWork(db, async (transaction) => {
      if (!(await hasCatalog(db, transaction))) await applyCatalog(db, transaction, SAMPLE_CATALOG, now);
    });
  } catch (error) {
    // What collides is a slug: the other process has committed the same catalog.
    if (!(error instanceof UniqueConstraintError)) throw error;
  }
}

/** What a development server offers until its operator says otherwise. */
const SAMPLE_CATALOG: Catalog = {
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
