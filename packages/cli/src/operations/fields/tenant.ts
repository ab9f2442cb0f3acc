import { LIMITS } from '@plat/contract';
import { integer, nullable, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';

const { min, max } = LIMITS.launchTokenSeconds;

export const TENANT_FIELDS: FamilyFields<'tenant' | 'settings'> = {
  'tenant.update': {
    name: text('new name', 'name'),
  },
  'settings.update': {
    default_timezone: text('time zone of locations that are made without one, such as Europe/Berlin', 'zone'),
    default_locale: text('language tag (BCP 47), such as en or de-CH', 'tag'),
    support_email: nullable(text('address that users are sent to for help', 'address')),
    launch_token_ttl_seconds: integer(`how long a launch token lives, ${min} to ${max}`, 'seconds'),
  },
};
