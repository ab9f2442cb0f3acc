import {
  LIMITS,
  type ListParams,
  type Location,
  type LocationCreateParams,
  type LocationUpdateParams,
} from '@plat/contract';
import {
  boolean,
  country,
  deleted,
  describe,
  id,
  listFields,
  name,
  nullable,
  object,
  oneOf,
  optional,
  text,
  timestamp,
  timezone,
} from '../../http/rules.ts';

const fields = {
  name: describe(name(), 'What people call the place.', 'Main store'),
  address: describe(
    nullable(text(LIMITS.address.max)),
    'The postal address, as people write it; null when there is none.',
    'Unter den Linden 1, 10117 Berlin',
  ),
  timezone: describe(timezone(), 'IANA name of the time zone there.'),
  country: describe(country(), 'ISO 3166-1 alpha-2 code of the country.', 'DE'),
};

export const location = describe(
  object<Location>('Location', {
    object: oneOf(['location']),
    id: id('location'),
    client_id: describe(nullable(id('client')), "The client whose place it is; null when it is a group's."),
    group_id: describe(nullable(id('group')), "The group whose place it is; null when it is a client's.", null),
    ...fields,
    default: describe(boolean(), 'Exactly one location of a client or group is its default.', true),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A place of a client or of a group.',
);
export const deletedLocation = deleted('location', 'location');

export const locationList = object<ListParams>(listFields);

export const locationCreate = describe(
  object<LocationCreateParams>('LocationCreate', {
    name: fields.name,
    country: fields.country,
    timezone: optional(
      describe(
        timezone(),
        "IANA name of the time zone there; `default_timezone` of the tenant's settings when absent.",
      ),
    ),
    address: optional(fields.address),
    default: optional(
      describe(boolean(), 'true takes the flag from the location that has it. The first one has it in any case.', true),
    ),
  }),
  'A location to create.',
);

export const locationUpdate = describe(
  object<LocationUpdateParams>('LocationUpdate', {
    name: optional(fields.name),
    country: optional(fields.country),
    timezone: optional(fields.timezone),
    address: optional(fields.address),
    default: optional(
      describe(
        boolean(),
        'true takes the flag from the location that has it; the flag is never cleared, only moved.',
        true,
      ),
    ),
  }),
  'The fields to change; those that are absent stay as they are.',
);
