import { CLIENT_STATUSES } from '../objects/client.ts';
import { answer, changes, deleted, described, nullable, page, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { domain, id, name, slug } from './texts.ts';
import { always, oneOf } from './values.ts';

const fields = {
  name: name('Name of the client.', 'Acme Ltd'),
  status: oneOf('ClientStatus', CLIENT_STATUSES, 'Status of the client; `active` at creation.'),
  slug: slug('Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant.'),
};
const host = nullable(
  domain(
    'Custom domain of the client; null if it has none. Unique across all production tenants; in a sandbox, unique within the sandbox.',
  ),
);

export const client = answer('Client', 'A customer of the tenant.', {
  object: always('client'),
  id: id('client'),
  ...fields,
  custom_domain: host,
  ...times,
});

export const deletedClient = deleted('client', 'client');

export const clientList = params('ClientListParams', 'Filters and paging for the list of clients.', {
  ...page,
  status: described(fields.status, 'Only clients of this status.'),
  slug: described(fields.slug, 'Only the client with this slug.'),
});

export const clientCreate = params(
  'ClientCreateParams',
  'Fields of the client to create.',
  {
    name: fields.name,
    slug: described(
      fields.slug,
      'Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant; derived from the name by default.',
    ),
  },
  ['name'],
);

export const clientUpdate = {
  ...changes('ClientUpdateParams', {
    ...fields,
    status: described(fields.status, 'Status of the client.'),
    domain: host,
    custom_domain: { ...described(host, 'Another name of `domain`. Give one of the two.'), 'x-same-as': 'domain' },
  }),
  not: { required: ['domain', 'custom_domain'] },
};

/** Schema of `data` for each event type of the family. */
export const payloads = {
  'client.created': client,
  'client.updated': client,
  'client.deleted': client,
} as const;

export const operations = {
  'clients.list': {
    query: 'ClientListParams',
    answer: 'Client',
  },
  'clients.create': {
    body: 'ClientCreateParams',
    answer: 'Client',
    errors: ['SLUG_IN_USE', 'QUOTA_EXCEEDED'],
    details: 'Without a slug, it is derived from the name.',
  },
  'clients.get': {
    answer: 'Client',
    errors: ['CLIENT_NOT_FOUND'],
  },
  'clients.update': {
    body: 'ClientUpdateParams',
    answer: 'Client',
    errors: ['CLIENT_NOT_FOUND', 'SLUG_IN_USE', 'DOMAIN_IN_USE'],
    details: 'Null clears the domain.',
  },
  'clients.delete': {
    answer: 'DeletedClient',
    errors: ['CLIENT_NOT_FOUND'],
    details:
      'Its slug and domain become free. If the response of the first attempt was lost, the retry finds no client: a `CLIENT_NOT_FOUND` with `attempts` above 1 can mean success.',
    confirmation: {
      action: 'Delete client',
      consequence: 'It cannot be restored, and its slug and domain become free.',
    },
  },
} as const satisfies Operations;
