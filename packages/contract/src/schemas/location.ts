import { LIMITS } from '../limits.ts';
import { answer, changes, deleted, described, nullable, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { country, id, name, text, timeZone } from './texts.ts';
import { always, boolean } from './values.ts';

const fields = {
  name: name('Name of the location.', 'Main store'),
  address: nullable(
    text(LIMITS.address.max, 'Postal address; null if it is not set.', 'Unter den Linden 1, 10117 Berlin'),
  ),
  timezone: timeZone('IANA name of the time zone, such as `Europe/Berlin`.'),
  country: country('Two-letter code of the country, such as `DE` (ISO 3166-1).'),
};

export const location = answer(
  'Location',
  'A location of a client or of a group. Exactly one of `client_id` and `group_id` is set.',
  {
    object: always('location'),
    id: id('location'),
    client_id: nullable(id('client', 'Id of the client that the location belongs to; null for a location of a group.')),
    group_id: nullable(
      id('group', 'Id of the group that the location belongs to; null for a location of a client.'),
      null,
    ),
    ...fields,
    default: boolean(
      'True if this is the default location of its client or group. Exactly one location is the default.',
      true,
    ),
    ...times,
  },
);

export const deletedLocation = deleted('location', 'location');

export const locationCreate = params(
  'LocationCreateParams',
  'Fields of the location to create.',
  {
    name: fields.name,
    country: fields.country,
    timezone: described(
      fields.timezone,
      "IANA name of the time zone, such as `Europe/Berlin`; by default that of the tenant's settings.",
    ),
    address: fields.address,
    default: boolean(
      'Makes this the default location instead of the current one. The first location is always the default.',
      true,
    ),
  },
  ['name', 'country'],
);

export const locationUpdate = changes('LocationUpdateParams', {
  name: fields.name,
  country: fields.country,
  timezone: fields.timezone,
  address: fields.address,
  default: boolean(
    'Makes this the default location instead of the current one. It can be moved to another location, but not cleared.',
    true,
  ),
});

/** Schema of `data` for each event type of the family. */
export const payloads = {
  'location.created': location,
  'location.updated': location,
  'location.deleted': location,
} as const;

export const operations = {
  'clients.locations.list': {
    query: 'ListParams',
    answer: 'Location',
    errors: ['CLIENT_NOT_FOUND'],
  },
  'clients.locations.create': {
    body: 'LocationCreateParams',
    answer: 'Location',
    errors: ['CLIENT_NOT_FOUND', 'QUOTA_EXCEEDED'],
    details:
      'The first one becomes the default. `default: true` moves the flag from the current default, whose change is an event too.',
  },
  'clients.locations.get': {
    answer: 'Location',
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND'],
  },
  'clients.locations.update': {
    body: 'LocationUpdateParams',
    answer: 'Location',
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND', 'DEFAULT_LOCATION_PROTECTED'],
    details:
      'Null clears the address. `default: true` moves the flag from the current default, and both changes are events. The flag is moved, never cleared: `DEFAULT_LOCATION_PROTECTED`.',
  },
  'clients.locations.delete': {
    answer: 'DeletedLocation',
    errors: [
      'CLIENT_NOT_FOUND',
      'LOCATION_NOT_FOUND',
      'LAST_LOCATION_PROTECTED',
      'DEFAULT_LOCATION_PROTECTED',
      'LOCATION_IN_USE',
    ],
    details: 'It must not be the last one or the default, and must have no users.',
    confirmation: { action: 'Delete location of client', consequence: 'It cannot be restored.' },
  },
  'groups.locations.list': {
    query: 'ListParams',
    answer: 'Location',
    errors: ['GROUP_NOT_FOUND'],
  },
  'groups.locations.create': {
    body: 'LocationCreateParams',
    answer: 'Location',
    errors: ['GROUP_NOT_FOUND', 'QUOTA_EXCEEDED'],
    details:
      'The first one becomes the default. `default: true` moves the flag from the current default, whose change is an event too.',
  },
  'groups.locations.get': {
    answer: 'Location',
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND'],
  },
  'groups.locations.update': {
    body: 'LocationUpdateParams',
    answer: 'Location',
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND', 'DEFAULT_LOCATION_PROTECTED'],
    details:
      'Null clears the address. `default: true` moves the flag from the current default, and both changes are events. The flag is moved, never cleared: `DEFAULT_LOCATION_PROTECTED`.',
  },
  'groups.locations.delete': {
    answer: 'DeletedLocation',
    errors: [
      'GROUP_NOT_FOUND',
      'LOCATION_NOT_FOUND',
      'LAST_LOCATION_PROTECTED',
      'DEFAULT_LOCATION_PROTECTED',
      'LOCATION_IN_USE',
    ],
    details: 'It must not be the last one or the default, and must have no users.',
    confirmation: { action: 'Delete location of group', consequence: 'It cannot be restored.' },
  },
} as const satisfies Operations;
