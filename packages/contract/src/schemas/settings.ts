import { LIMITS } from '../limits.ts';
import { answer, changes, nullable, times } from './objects.ts';
import { email, id, locale, timeZone } from './texts.ts';
import { always, integer } from './values.ts';

const { min, max } = LIMITS.launchTokenSeconds;
const fields = {
  default_timezone: timeZone('IANA name of the time zone of locations that are created without one.'),
  default_locale: locale('BCP 47 language tag.'),
  support_email: nullable(email('E-mail address where users of the tenant find help.', 'help@example.com')),
  launch_token_ttl_seconds: integer(min, max, 'Lifetime of a launch token in seconds.', 900),
};

export const settings = answer('Settings', 'The settings of the tenant. They have no id: each tenant has one set.', {
  object: always('settings'),
  tenant_id: id('tenant'),
  ...fields,
  ...times,
});

export const settingsUpdate = changes('SettingsUpdateParams', fields);
