import { didYouMean } from './closest-word.ts';

/** Every scope with its description, as shown on the consent page and in the documentation. */
export const SCOPES = {
  'me:read': 'See which tenant and scopes the credential has',
  'clients:read': 'See clients',
  'clients:write': 'Create, change and delete clients',
  'groups:read': 'See groups, their members and owners',
  'groups:write': 'Create, change and delete groups, their members and owners',
  'users:read': 'See users',
  'users:write': 'Invite, change and deactivate users, but not owners',
  'locations:read': 'See locations',
  'locations:write': 'Create, change and delete locations',
  'tenant:read': 'See the tenant',
  'tenant:write': 'Change the tenant',
  'settings:read': 'See the settings of the tenant',
  'settings:write': 'Change the settings of the tenant',
  'roles:read': 'See roles',
  'roles:write': 'Create and change roles',
  'webhooks:read':
    'See webhook endpoints, deliveries, and events with their data: clients, groups, users and locations',
  'webhooks:write':
    'Create, change and delete webhook endpoints, which receive events with their data, and replay events',
  'audit:read': 'See the audit trail with the values of changed fields, and the request log',
  'modules:read': 'See the module catalog',
  'plans:read': 'See the plan catalog',
  'billing:read': 'See invoices and payments',
} as const;

/** A scope, `<resource>:<read or write>`. Write does not imply read. */
export type Scope = keyof typeof SCOPES;

/** All scopes, in the order of {@link SCOPES}. */
export const ALL_SCOPES: readonly Scope[] = Object.freeze(Object.keys(SCOPES) as Scope[]);

/** Returns true if the value is a scope. */
export function isScope(value: unknown): value is Scope {
  return typeof value === 'string' && Object.hasOwn(SCOPES, value);
}

/**
 * Returns the message about a requested scope that is not allowed.
 * @param whose the allowed scopes in words: `those that the app declared`
 */
export function scopeProblem(name: string, allowed: readonly Scope[], whose: string): string {
  if (isScope(name)) return `The scope ${name} is not among ${whose}`;
  // An unknown name is not repeated: it may be any text.
  return `The scope asked for is not among ${whose}${didYouMean(name, allowed)}`;
}
