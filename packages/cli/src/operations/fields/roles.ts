import { nullable, openTexts, required, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';

const description = nullable(text('what the role is for'));

export const ROLE_FIELDS: FamilyFields<'roles'> = {
  'roles.create': {
    name: required(text('what users refer to, such as shop_manager; it never changes', 'name')),
    title: required(text('name for people')),
    description,
    capabilities: openTexts<string>('capabilities that users in this role see (plat modules list)', 'id'),
  },
  'roles.update': {
    title: text('new name for people'),
    description,
    capabilities: openTexts<string>("all capabilities that users in this role see, '' for none", 'id'),
  },
};
