import {
  CLIENT_STATUSES,
  type Client,
  type ClientCreateParams,
  type ClientListParams,
  type ClientUpdateParams,
} from '@plat/contract';
import {
  deleted,
  describe,
  domain,
  id,
  listFields,
  name,
  notBoth,
  nullable,
  object,
  oneOf,
  optional,
  slug,
  timestamp,
} from '../../http/rules.ts';

const fields = {
  name: describe(name(), 'What people call the client.', 'Acme Ltd'),
  status: describe(oneOf(CLIENT_STATUSES), 'Whether the client is in use; `active` at creation.'),
  slug: describe(slug(), 'Lower-case letters, digits and single hyphens; unique in the tenant.'),
  domain: describe(
    nullable(domain()),
    'A host name of its own. Unique across all production tenants; in a sandbox unique within the sandbox. Null when it has none.',
  ),
};

export const client = describe(
  object<Client>('Client', {
    object: oneOf(['client']),
    id: id('client'),
    name: fields.name,
    status: fields.status,
    slug: fields.slug,
    custom_domain: fields.domain,
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A customer of the tenant.',
);

export const deletedClient = deleted('client', 'client');

export const clientList = object<ClientListParams>({
  ...listFields,
  status: optional(describe(oneOf(CLIENT_STATUSES), 'Only clients of this status.')),
  slug: optional(describe(slug(), 'Only the client with this slug.')),
});

export const clientCreate = describe(
  object<ClientCreateParams>('ClientCreate', {
    name: fields.name,
    slug: optional(describe(slug(), 'Made from the name, and made unique, when absent.')),
  }),
  'A client to create.',
);

export const clientUpdate = describe(
  notBoth(
    object<ClientUpdateParams>('ClientUpdate', {
      name: optional(fields.name),
      status: optional(fields.status),
      slug: optional(fields.slug),
      domain: optional(fields.domain),
      custom_domain: optional(describe(nullable(domain()), 'The same field as `domain`; give one of them.')),
    }),
    'domain',
    'custom_domain',
  ),
  'The fields to change; those that are absent stay as they are.',
);
