import type { LocationCreateParams, LocationUpdateParams } from '@plat/contract';
import { type Fields, flag, nullable, required, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';

const country = text('ISO 3166-1 alpha-2 code, such as DE', 'code');
const address = nullable(text('postal address', 'address'));
const makeDefault = 'make it the default, in place of the one that is';

const create: Fields<LocationCreateParams> = {
  name: required(text('name of the location', 'name')),
  country: required(country),
  timezone: text('IANA name, such as Europe/Berlin; that of the settings when absent', 'zone'),
  address,
  default: flag(makeDefault, 'leave the default where it is'),
};

const update: Fields<LocationUpdateParams> = {
  name: text('new name', 'name'),
  country,
  timezone: text('IANA name, such as Europe/Berlin', 'zone'),
  address,
  default: flag(makeDefault, 'make sure that it is not: refused for the one that is'),
};

/** The same under a client and under a group. */
export const LOCATION_FIELDS: FamilyFields<'clients.locations' | 'groups.locations'> = {
  'clients.locations.create': create,
  'clients.locations.update': update,
  'groups.locations.create': create,
  'groups.locations.update': update,
};
