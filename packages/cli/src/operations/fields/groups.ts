import { MEMBERSHIP_POLICIES } from '@plat/contract';
import { oneOf, required, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';

export const GROUP_FIELDS: FamilyFields<'groups' | 'groups.members' | 'groups.owners'> = {
  'groups.create': {
    name: required(text('name of the group', 'name')),
    slug: text('short name, unique among the groups; made from the name when absent', 'slug'),
    membership_policy: oneOf(MEMBERSHIP_POLICIES, 'who may join by themselves; invite_only when absent'),
  },
  'groups.update': {
    name: text('new name', 'name'),
    slug: text('new slug', 'slug'),
    membership_policy: oneOf(MEMBERSHIP_POLICIES, 'who may join by themselves'),
  },
  'groups.members.add': {
    client_id: required(text('client to add (cli_…)', 'id')),
  },
  'groups.owners.invite': {
    email: required(text('address of a user; of somebody new, who is then invited as a viewer', 'address')),
  },
};
