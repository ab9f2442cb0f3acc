import { LIMITS } from '../limits.ts';
import { answer, changes, nullable, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { email, id, locale, timeZone } from './texts.ts';
import { always, integer } from './values.ts';

const { min, max } = LIMITS.launchTokenSeconds;
const fields = {
  default_timezone: timeZone(
    'IANA name of the time zone for locations that are created without one, such as `Europe/Berlin`.',
  ),
  default_locale: locale('Default language of the tenant, as a language tag such as `de` or `pt-BR` (BCP 47).'),
  support_email: nullable(
    email('E-mail address for support requests of users; null if it is not set.', 'help@example.com'),
  ),
  launch_token_ttl_seconds: integer(min, max, 'Lifetime of a launch token in seconds.', 900),
};

export const settings = answer(
  'Settings',
  'The settings of the tenant. They have no id, because each tenant has exactly one set.',
  {
    object: always('settings'),
    tenant_id: id('tenant'),
    ...fields,
    ...times,
  },
);

export const settingsUpdate = changes('SettingsUpdateParams', fields);

export const operations = {
  'settings.get': {
    answer: 'Settings',
  },
  'settings.update': {
    body: 'SettingsUpdateParams',
    answer: 'Settings',
    details: 'Null clears the support address.',
  },
} as const satisfies Operations;
