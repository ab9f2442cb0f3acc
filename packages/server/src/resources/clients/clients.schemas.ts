import {
  CLIENT_STATUSES,
  type Client,
  type ClientCreateParams,
  type ClientListParams,
  type ClientUpdateParams,
  type Deleted,
} from '@plat/contract';
import {
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

export const client = object<Client>({
  object: oneOf(['client']),
  id: id('client'),
  name: name(),
  status: oneOf(CLIENT_STATUSES),
  slug: slug(),
  custom_domain: nullable(domain()),
  created_at: timestamp(),
  updated_at: timestamp(),
});

export const deletedClient = object<Deleted<'client'>>({
  object: oneOf(['client']),
  id: id('client'),
  deleted: oneOf([true]),
});

export const clientList = object<ClientListParams>({
  ...listFields,
  status: optional(oneOf(CLIENT_STATUSES)),
  slug: optional(slug()),
});

export const clientCreate = object<ClientCreateParams>({
  name: name(),
  slug: optional(slug()),
});

export const clientUpdate = notBoth(
  object<ClientUpdateParams>({
    name: optional(name()),
    status: optional(oneOf(CLIENT_STATUSES)),
    slug: optional(slug()),
    domain: optional(nullable(domain())),
    custom_domain: optional(nullable(domain())),
  }),
  'domain',
  'custom_domain',
);
