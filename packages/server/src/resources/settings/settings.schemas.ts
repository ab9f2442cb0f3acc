import { LIMITS, type Settings, type SettingsUpdateParams } from '@plat/contract';
import {
  describe,
  email,
  id,
  integer,
  locale,
  nullable,
  object,
  oneOf,
  optional,
  timestamp,
  timezone,
} from '../../http/rules.ts';

const { min, max } = LIMITS.launchTokenSeconds;

const fields = {
  default_timezone: describe(timezone(), 'IANA name; the time zone of a location that is made without one.'),
  default_locale: describe(locale(), 'Language tag (BCP 47).'),
  support_email: describe(nullable(email()), 'Where people of the tenant find help.', 'help@example.com'),
  launch_token_ttl_seconds: describe(integer({ min, max }), 'How long a launch token lives, in seconds.', 900),
};

export const settings = describe(
  object<Settings>('Settings', {
    object: oneOf(['settings']),
    tenant_id: id('tenant'),
    ...fields,
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'What the tenant has set.',
);

export const settingsUpdate = describe(
  object<SettingsUpdateParams>('SettingsUpdate', {
    default_timezone: optional(fields.default_timezone),
    default_locale: optional(fields.default_locale),
    support_email: optional(fields.support_email),
    launch_token_ttl_seconds: optional(fields.launch_token_ttl_seconds),
  }),
  'The fields to change; those that are absent stay as they are.',
);
