import { CLIENT_STATUSES } from '@plat/contract';
import { nullable, oneOf, required, sameAs, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';

export const CLIENT_FIELDS: FamilyFields<'clients'> = {
  'clients.list': {
    status: oneOf(CLIENT_STATUSES, 'only clients in this status'),
    slug: text('only the client with this slug', 'slug'),
  },
  'clients.create': {
    name: required(text('name of the client', 'name')),
    slug: text('short name, unique in the tenant; made from the name when absent', 'slug'),
  },
  'clients.update': {
    name: text('new name', 'name'),
    status: oneOf(CLIENT_STATUSES, 'new status'),
    slug: text('new slug', 'slug'),
    domain: nullable(text('custom domain, such as shop.example.com', 'domain')),
    custom_domain: sameAs('domain'),
  },
};
