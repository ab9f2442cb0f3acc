import { type FieldError, ID_PREFIXES, type IdKind, isId, LIMITS, unsafeCharacter } from '@plat/contract';

/** What a rule makes of a value: the value as the platform keeps it, or why it refuses it; or an item of a list. */
export type Checked =
  | { readonly value: unknown }
  | { readonly message: string }
  | { readonly items: readonly Checked[] };

/** A rule for a field, and whether the field may be absent. */
export interface Rule {
  readonly optional: boolean;
  check(given: unknown): Checked;
}

export const required = (check: Rule['check']): Rule => ({ optional: false, check });
export const optional = (check: Rule['check']): Rule => ({ optional: true, check });

type Check = Rule['check'];

const textLike =
  (message: string, isValid: (text: string) => boolean, kept = (text: string): string => text): Check =>
  (given) => {
    if (typeof given !== 'string') return { message: 'must be a string' };
    const value = kept(given);
    return isValid(value) ? { value } : { message };
  };

/** Text for people, trimmed. It may have line breaks, and no character that changes how the text around it is shown. */
export const text = (max: number): Check => textOf(max, { lines: true });

/** The name of something: text of one line. */
export const name: Check = (given) => textOf(LIMITS.name.max, { lines: false })(given);

function textOf(max: number, options: { readonly lines: boolean }): Check {
  const sized = textLike(
    `must be 1 to ${max} characters long`,
    (value) => value !== '' && [...value].length <= max,
    trimmed,
  );
  return (given) => {
    const checked = sized(given);
    const character = 'value' in checked ? unsafeCharacter(String(checked.value), options) : null;
    return character === null ? checked : { message: `must not contain ${character}` };
  };
}

export const id = (kind: IdKind): Check =>
  textLike(`must be an id of the form ${ID_PREFIXES[kind]}_…`, (value) => isId(kind, value));

export const slug: Check = textLike(
  'must be lower-case letters and digits, with single hyphens between',
  (value) => value.length <= LIMITS.slug.max && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value),
);

export const roleName: Check = textLike(
  'must be lower-case letters, digits and single underscores, beginning with a letter',
  (value) => value.length <= LIMITS.slug.max && /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(value),
);

export const email: Check = textLike(
  'must be an e-mail address such as ada@example.com',
  (value) => value.length <= LIMITS.email.max && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value),
  trimmed,
);

export const domain: Check = textLike(
  'must be a domain such as shop.example.com',
  (value) => value.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(value),
  (value) => value.toLowerCase(),
);

export const country: Check = textLike(
  'must be an ISO 3166-1 alpha-2 code such as DE',
  (value) => /^[A-Z]{2}$/.test(value),
  (value) => value.toUpperCase(),
);

export const timezone: Check = textLike(
  'must be an IANA time zone such as Europe/Berlin',
  (value) =>
    /^(?:UTC|GMT|[A-Z]+(?:\/[A-Z0-9_+-]+){1,2})$/i.test(value) &&
    succeeds(() => Intl.DateTimeFormat('en', { timeZone: value })),
);

export const locale: Check = textLike('must be a language tag (BCP 47) such as en or de-CH', (value) =>
  succeeds(() => Intl.getCanonicalLocales(value)),
);

export const timestamp: Check = textLike(
  'must be an ISO 8601 time with offset, such as 2026-01-31T12:00:00Z',
  (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value)),
);

/** Text of any content. */
export const anyText: Check = textLike('', () => true);

export const boolean: Check = (given) =>
  typeof given === 'boolean' ? { value: given } : { message: 'must be a boolean' };

export const integer =
  (min: number, max: number): Check =>
  (given) =>
    Number.isInteger(given) && Number(given) >= min && Number(given) <= max
      ? { value: given }
      : { message: `must be a whole number from ${min} to ${max}` };

/** A whole number as it stands in a query string. */
export const integerText =
  (min: number, max: number): Check =>
  (given) =>
    integer(min, max)(typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : undefined);

export const oneOf =
  (values: readonly string[]): Check =>
  (given) =>
    typeof given === 'string' && values.includes(given)
      ? { value: given }
      : { message: `must be one of ${values.join(', ')}` };

export const nullable =
  (check: Check): Check =>
  (given) =>
    given === null ? { value: null } : check(given);

export const listOf =
  (check: Check, { min = 0, max }: { readonly min?: number; readonly max: number }): Check =>
  (given) => {
    if (!Array.isArray(given)) return { message: 'must be an array' };
    if (given.length > max) return { message: `must contain less than or equal to ${max} items` };
    if (given.length < min) return { message: `must contain at least ${min} items` };
    const items = given.map(check);
    const values = items.flatMap((item) => ('value' in item ? [item.value] : []));
    return values.length === items.length ? { value: values } : { items };
  };

/** Checks the fields of an object. Every one that is wrong, missing or unknown is named. */
export function checkFields(
  rules: Readonly<Record<string, Rule>>,
  given: Readonly<Record<string, unknown>>,
): { readonly value: Readonly<Record<string, unknown>>; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const value: Record<string, unknown> = {};
  for (const [path, rule] of Object.entries(rules)) {
    if (given[path] === undefined) {
      if (!rule.optional) errors.push({ path, message: 'is required' });
      continue;
    }
    const checked = rule.check(given[path]);
    if ('value' in checked) value[path] = checked.value;
    else errors.push(...errorsOf(path, checked));
  }
  for (const path of Object.keys(given)) {
    if (!Object.hasOwn(rules, path)) errors.push({ path, message: 'is not a known field' });
  }
  return { value, errors };
}

function errorsOf(path: string, checked: Checked): FieldError[] {
  if ('message' in checked) return [{ path, message: checked.message }];
  return 'items' in checked ? checked.items.flatMap((item, i) => errorsOf(`${path}.${i}`, item)) : [];
}

function trimmed(value: string): string {
  return value.trim();
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
