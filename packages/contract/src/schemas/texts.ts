import { LOCALE_MAX } from '../formats.ts';
import { ID_PATTERN, ID_PREFIXES, type IdKind } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import type { JsonSchema } from './json-schema.ts';
import { words } from './words.ts';

/*
 * Schemas of texts. Each takes the description of the field, and an example if the default one does not fit. Every
 * field of the API has a description. It omits limits, which hover texts, help and reference add from the schema.
 */

/** Schema of a multi-line text, which is trimmed. */
export function text(max: number, description?: string, example?: string): JsonSchema {
  return {
    type: 'string',
    'x-format': 'multi-line',
    minLength: 1,
    maxLength: max,
    pattern: '\\S',
    'x-trim': true,
    ...words(description, example),
  };
}

/** Schema of a single-line text, which is trimmed. */
export function line(max: number, description?: string, example?: string): JsonSchema {
  return { ...text(max, description, example), 'x-format': 'single-line' };
}

/** Schema of a name: a single-line text. */
export function name(description?: string, example?: string): JsonSchema {
  return line(LIMITS.name.max, description, example);
}

/** Schema of a non-empty string. For responses only, because input needs a specific rule. */
export function string(description?: string, example?: string): JsonSchema {
  return { type: 'string', minLength: 1, ...words(description, example) };
}

/** Schema of a string that may be empty. */
export function anyString(description?: string, example?: string): JsonSchema {
  return { type: 'string', ...words(description, example) };
}

/** Schema of a short name for URLs. */
export function slug(description?: string, example = 'acme'): JsonSchema {
  return {
    type: 'string',
    minLength: 1,
    maxLength: LIMITS.slug.max,
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    'x-message': 'must be lower-case letters and digits, with single hyphens between',
    ...words(description, example),
  };
}

/** Schema of the name of a role, built in or created by the tenant. */
export function roleName(description?: string, example = 'member'): JsonSchema {
  return {
    type: 'string',
    minLength: 1,
    maxLength: LIMITS.slug.max,
    pattern: '^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$',
    'x-message': 'must be lower-case letters, digits and single underscores, beginning with a letter',
    ...words(description, example),
  };
}

/** Schema of the id of a capability of the module catalog. */
export function capability(description?: string, example = 'analytics:read'): JsonSchema {
  return {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z][a-z0-9_-]*(?:[.:][a-z0-9_-]+)*$',
    'x-message': 'must be the id of a capability such as analytics:read',
    ...words(description, example),
  };
}

/** Schema of the action of an audit event, such as `client.updated`. */
export function action(description?: string, example?: string): JsonSchema {
  return {
    type: 'string',
    minLength: 3,
    maxLength: 64,
    pattern: '^[a-z_]+(?:\\.[a-z_]+)+$',
    'x-message': 'must be an action such as client.updated',
    ...words(description, example),
  };
}

/** Schema of an id of one kind. */
export function id(kind: IdKind, description = `Id of the ${kind.replaceAll('_', ' ')}.`): JsonSchema {
  const prefix = ID_PREFIXES[kind];
  return {
    type: 'string',
    pattern: `^${prefix}_${ID_PATTERN}$`,
    'x-message': `must be an id of the form ${prefix}_…`,
    ...words(description, `${prefix}_01k0z8k3v7e5q2m9t4r6w1x8c0`),
  };
}

/** Schema of an id of any kind. */
export function anyId(description?: string, example = 'usr_01k0z8k3v7e5q2m9t4r6w1x8c0'): JsonSchema {
  return {
    type: 'string',
    pattern: `^(?:${Object.values(ID_PREFIXES).join('|')})_${ID_PATTERN}$`,
    'x-message': 'must be an id',
    ...words(description, example),
  };
}

/** Schema of an e-mail address. The pattern is for readers of the document, and accepts every script. */
export function email(description?: string, example = 'ada@example.com'): JsonSchema {
  return {
    type: 'string',
    'x-format': 'email',
    minLength: 6,
    maxLength: LIMITS.email.max,
    pattern: '^[^\\s@]+@[^\\s@.]+(?:\\.[^\\s@.]+)+$',
    'x-trim': true,
    ...words(description, example),
  };
}

/** Schema of a host name of at least two labels, in any script. */
export function domain(description?: string, example = 'shop.example.com'): JsonSchema {
  return { type: 'string', 'x-format': 'domain', minLength: 3, maxLength: 253, ...words(description, example) };
}

/** Schema of a country code, in upper or lower case. */
export function country(description?: string, example = 'DE'): JsonSchema {
  return {
    type: 'string',
    'x-format': 'country',
    minLength: 2,
    maxLength: 2,
    pattern: '^[A-Za-z]{2}$',
    ...words(description, example),
  };
}

/** Schema of an IANA time zone name. */
export function timeZone(description?: string, example = 'Europe/Berlin'): JsonSchema {
  return {
    type: 'string',
    'x-format': 'time-zone',
    minLength: 2,
    maxLength: 64,
    pattern: '^[A-Za-z]+(?:/[A-Za-z0-9_+-]+)*$',
    ...words(description, example),
  };
}

/** Schema of a language tag (BCP 47). */
export function locale(description?: string, example = 'en'): JsonSchema {
  return {
    type: 'string',
    'x-format': 'locale',
    minLength: 2,
    maxLength: LOCALE_MAX,
    pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
    ...words(description, example),
  };
}

/** Schema of a point in time. */
export function time(description?: string, example = '2026-01-31T12:00:00.000Z'): JsonSchema {
  return { type: 'string', format: 'date-time', 'x-format': 'timestamp', ...words(description, example) };
}

/** Schema of an ISO 4217 currency code. */
export function currency(): JsonSchema {
  return { type: 'string', pattern: '^[A-Z]{3}$', ...words('ISO 4217 code of the currency.', 'EUR') };
}
