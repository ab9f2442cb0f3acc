import { type ListParams, type Module, PLAN_INTERVALS, type Plan } from '@plat/contract';
import {
  array,
  currency,
  describe,
  id,
  listFields,
  minorUnits,
  name,
  nullable,
  object,
  oneOf,
  slug,
  string,
  timestamp,
} from '../../http/rules.ts';

const capabilities = array(string());

export const module = describe(
  object<Module>('Module', {
    object: oneOf(['module']),
    id: id('module'),
    slug: describe(slug(), 'Short name, unique among the modules.', 'analytics'),
    name: describe(name(), 'What people call the module.', 'Analytics'),
    description: describe(string(), 'What the module is for.', 'Sales and stock at a glance.'),
    capabilities: describe(capabilities, 'What the module can do; plans and roles refer to these ids.', [
      'analytics:read',
      'analytics:export',
    ]),
    launch_url: describe(
      nullable(string()),
      'Where a launch posts its token to; null for a module that is not launched.',
      'https://analytics.example.com/launch',
    ),
    audience: describe(nullable(string()), 'The `aud` of its launch tokens.', 'https://analytics.example.com'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A module of the platform, the same for every tenant.',
);

export const plan = describe(
  object<Plan>('Plan', {
    object: oneOf(['plan']),
    id: id('plan'),
    slug: describe(slug(), 'Short name, unique among the plans.', 'growth'),
    name: describe(name(), 'What people call the plan.', 'Growth'),
    currency: currency(),
    amount: describe(minorUnits(), 'Price of one interval.', 4900),
    interval: describe(oneOf(PLAN_INTERVALS), 'What the price is for.', 'month'),
    capabilities: describe(capabilities, 'What a tenant on this plan can do, across all modules.', ['analytics:read']),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A plan of the platform, the same for every tenant.',
);

export const catalogList = object<ListParams>({ ...listFields });
