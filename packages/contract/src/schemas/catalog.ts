import { PLAN_INTERVALS } from '../objects/catalog.ts';
import { answer, nullable, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { currency, id, name, slug, string } from './texts.ts';
import { always, array, minorUnits, oneOf } from './values.ts';

const capabilityId = string('Id of a capability.');

export const module = answer('Module', 'A module of the platform, the same for every tenant.', {
  object: always('module'),
  id: id('module'),
  slug: slug('Short name for URLs, unique among the modules.', 'analytics'),
  name: name('Name of the module.', 'Analytics'),
  description: string('Description of the module for people.', 'Sales and stock at a glance.'),
  capabilities: array(capabilityId, 'Ids of the capabilities of the module. Plans and roles refer to these ids.', {
    example: ['analytics:read', 'analytics:export'],
  }),
  launch_url: nullable(
    string(
      'URL to which a launch posts its token; null for a module that is not launched.',
      'https://analytics.example.com/launch',
    ),
  ),
  audience: nullable(
    string(
      'Audience (`aud`) of the launch tokens for the module; null for a module that is not launched.',
      'https://analytics.example.com',
    ),
  ),
  ...times,
});

export const plan = answer('Plan', 'A plan of the platform, the same for every tenant.', {
  object: always('plan'),
  id: id('plan'),
  slug: slug('Short name for URLs, unique among the plans.', 'growth'),
  name: name('Name of the plan.', 'Growth'),
  currency: currency(),
  amount: minorUnits('Price of one interval in minor units, such as cents.', 4900),
  interval: oneOf('PlanInterval', PLAN_INTERVALS, 'Billing interval of the price.', 'month'),
  capabilities: array(capabilityId, 'Ids of the capabilities that the plan grants a tenant, across all modules.', {
    example: ['analytics:read'],
  }),
  ...times,
});

export const operations = {
  'modules.list': {
    query: 'ListParams',
    answer: 'Module',
  },
  'plans.list': {
    query: 'ListParams',
    answer: 'Plan',
  },
} as const satisfies Operations;
