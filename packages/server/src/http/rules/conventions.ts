import { COUNTRIES } from '@plat/contract/schemas';
import Joi from 'joi';
import { of, type Rule } from './rule.ts';
import { integer } from './values.ts';

/** A language tag (BCP 47), in its canonical form. */
export const locale = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) => {
        const canonical = given.length <= LOCALE_MAX ? canonicalLocale(given) : undefined;
        return canonical !== undefined && canonical.length <= LOCALE_MAX ? canonical : helpers.error('locale.invalid');
      })
      .messages({ 'locale.invalid': 'must be a language tag (BCP 47) such as en or de-CH' }),
    {
      type: 'string',
      minLength: 2,
      maxLength: LOCALE_MAX,
      pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
      examples: ['en'],
    },
  );

const LOCALE_MAX = 64;
function canonicalLocale(given: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(given)[0];
  } catch {
    return undefined;
  }
}

// Area and place: what else Intl takes (EST, PST, +01:00) is not what others call a zone.
const TIMEZONE = /^(?:UTC|GMT|[A-Z]+(?:\/[A-Z0-9_+-]+){1,2})$/i;
/** An IANA time zone, in the case of its name; a name that links to another one stays as given. No offsets. */
export const timezone = (): Rule<string> =>
  of(
    Joi.string()
      .max(64)
      .custom((given: string, helpers) => timezoneName(given) ?? helpers.error('timezone.invalid'))
      .messages({ 'timezone.invalid': 'must be an IANA time zone such as Europe/Berlin' }),
    {
      type: 'string',
      minLength: 2,
      maxLength: 64,
      pattern: '^[A-Za-z]+(?:/[A-Za-z0-9_+-]+)*$',
      examples: ['Europe/Berlin'],
    },
  );

function timezoneName(given: string): string | undefined {
  if (!TIMEZONE.test(given)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions();
    // A link resolves to its target, which is not what people there call their zone.
    if (timeZone.toLowerCase() === given.toLowerCase()) return timeZone;
    return given.split('/').every((part) => /^[A-Z]/.test(part)) ? given : undefined;
  } catch {
    return undefined;
  }
}

/** A country, in upper case whatever the case given. */
export const country = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) => {
        // Two ASCII letters first: there are letters that become two in upper case.
        const code = /^[A-Za-z]{2}$/.test(given) ? given.toUpperCase() : '';
        return COUNTRIES.has(code) ? code : helpers.error('country.invalid');
      })
      .messages({ 'country.invalid': 'must be an ISO 3166-1 alpha-2 code such as DE' }),
    { type: 'string', minLength: 2, maxLength: 2, pattern: '^[A-Za-z]{2}$', examples: ['DE'] },
  );

/** An instant in ISO 8601 with its offset, kept as text. */
export const timestamp = (): Rule<string> =>
  of(
    Joi.string()
      .custom((given: string, helpers) =>
        /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(given) &&
        !Number.isNaN(Date.parse(given))
          ? given
          : helpers.error('timestamp.invalid'),
      )
      .messages({ 'timestamp.invalid': 'must be an ISO 8601 time with offset, such as 2026-01-31T12:00:00Z' }),
    { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] },
  );

/** An ISO 4217 code. */
export const currency = (): Rule<string> =>
  of(Joi.string().pattern(/^[A-Z]{3}$/, 'currency'), {
    type: 'string',
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 code of the currency.',
    examples: ['EUR'],
  });

/** An amount of money in the currency's minor units, such as cents. */
export const minorUnits = (): Rule<number> => integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
