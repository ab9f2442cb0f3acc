import { LIMITS } from '../limits.ts';
import { answer, changes, deleted, described, nullable, params, times } from './objects.ts';
import { country, id, name, text, timeZone } from './texts.ts';
import { always, boolean } from './values.ts';

const fields = {
  name: name('Name of the location.', 'Main store'),
  address: nullable(
    text(LIMITS.address.max, 'Postal address. Null when there is none.', 'Unter den Linden 1, 10117 Berlin'),
  ),
  timezone: timeZone('IANA name of the time zone there.'),
  country: country('ISO 3166-1 alpha-2 code of the country.'),
};

export const location = answer(
  'Location',
  'A place of a client or of a group; one of `client_id` and `group_id` is set.',
  {
    object: always('location'),
    id: id('location'),
    client_id: nullable(id('client', "The client whose place it is; null when it is a group's.")),
    group_id: nullable(id('group', "The group whose place it is; null when it is a client's."), null),
    ...fields,
    default: boolean('Exactly one location of a client or group is its default.', true),
    ...times,
  },
);

export const deletedLocation = deleted('location', 'location');

export const locationCreate = params(
  'LocationCreateParams',
  'A location to create.',
  {
    name: fields.name,
    country: fields.country,
    timezone: described(
      fields.timezone,
      "IANA name of the time zone there; `default_timezone` of the tenant's settings when absent.",
    ),
    address: fields.address,
    default: boolean(
      'Make it the default location, in place of the current one. The first location is the default in any case.',
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
    'Make it the default location, in place of the current one. The default cannot be cleared, only moved.',
    true,
  ),
});
