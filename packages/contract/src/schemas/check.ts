import type { FieldError } from '../errors.ts';
import { checkValue, type Source, STRUCTURE_MESSAGES, typesOf } from './check-value.ts';
import type { JsonSchema } from './json-schema.ts';

/** The value in the form that the service stores, and all its errors. */
export interface CheckResult {
  /** The stored form of the value. Valid only if `errors` is empty. */
  readonly value: unknown;
  /** Errors in the order of the schema's fields, unknown fields last. */
  readonly errors: readonly FieldError[];
}

/**
 * Checks a value against a schema. The mock validates with it, and tests check responses with it. The server compiles
 * the same schemas to Joi.
 */
export function check(schema: JsonSchema, given: unknown, source: Source = 'body', path = ''): CheckResult {
  if (schema.allOf?.[0]) return check(schema.allOf[0], given, source, path);
  if (schema.oneOf) return checkOneOf(schema, given, source, path);
  if (schema.anyOf) {
    const [first = {}, second = {}] = schema.anyOf;
    return check(given === null ? second : first, given, source, path);
  }
  const types = typesOf(schema);
  if (given !== null || !types.includes('null')) {
    if (types.includes('object')) return checkObject(schema, given, source, path);
    if (types.includes('array')) return checkArray(schema, given, source, path);
  }
  const checked = checkValue(schema, given, source);
  return 'value' in checked ? { value: checked.value, errors: [] } : refused(path, checked.message);
}

/** @returns undefined if at most one of the two names of a field is given */
function sameFieldMessage({ not }: JsonSchema, given: object): string | undefined {
  const names = not?.required ?? [];
  const areGiven = names.length > 0 && names.every((name) => Object.hasOwn(given, name));
  return areGiven ? STRUCTURE_MESSAGES.sameField(names) : undefined;
}

function checkObject(schema: JsonSchema, given: unknown, source: Source, path: string): CheckResult {
  if (!isObject(given)) return refused(path, STRUCTURE_MESSAGES.notObject);
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const errors: FieldError[] = [];
  const value: Record<string, unknown> = {};
  const keep = (name: string, field: JsonSchema): void => {
    const result = check(field, given[name], source, join(path, name));
    errors.push(...result.errors);
    value[name] = result.value;
  };
  for (const [name, field] of Object.entries(properties)) {
    if (isPresent(given, name)) keep(name, field);
    else if (required.includes(name)) errors.push({ path: join(path, name), message: STRUCTURE_MESSAGES.required });
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(properties, name)) continue;
    if (typeof additionalProperties === 'object') keep(name, additionalProperties);
    else if (!additionalProperties) {
      errors.push({ path: join(path, name), message: STRUCTURE_MESSAGES.unknown(name, Object.keys(properties)) });
    }
  }
  const message = sameFieldMessage(schema, given);
  return { value, errors: message === undefined ? errors : [...errors, { path, message }] };
}

function checkArray(schema: JsonSchema, given: unknown, source: Source, path: string): CheckResult {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  if (!Array.isArray(given)) return refused(path, STRUCTURE_MESSAGES.notArray);
  // Checked before the items: a long list of invalid items is one error.
  if (given.length > maxItems) return refused(path, STRUCTURE_MESSAGES.tooManyItems(maxItems));
  if (given.length < minItems) return refused(path, STRUCTURE_MESSAGES.tooFewItems(minItems));
  const results = given.map((item, index) => check(items, item, source, join(path, String(index))));
  return { value: results.map(({ value }) => value), errors: results.flatMap(({ errors }) => errors) };
}

function checkOneOf(
  { oneOf = [], discriminator }: JsonSchema,
  given: unknown,
  source: Source,
  path: string,
): CheckResult {
  const name = discriminator?.propertyName ?? '';
  const kind = isObject(given) ? given[name] : undefined;
  const schema = oneOf.find(({ properties }) => properties?.[name]?.const === kind);
  return schema ? check(schema, given, source, path) : refused(join(path, name), 'is of no known kind');
}

function refused(path: string, message: string): CheckResult {
  return { value: undefined, errors: [{ path, message }] };
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** Returns true if the field is present. An undefined field of a response is not sent. */
function isPresent(given: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== undefined;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
