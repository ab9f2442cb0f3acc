import { closestWord, didYouMean } from '../closest-word.ts';
import { FORMATS } from '../formats.ts';
import type { JsonSchema } from './json-schema.ts';

/** A value in the form that the service stores, or the reason for its refusal. */
export type Checked =
  | {
      /** The value in the form that the service stores. */
      readonly value: unknown;
    }
  | {
      /** Reason for the refusal, as an error message. */
      readonly message: string;
    };

/** Source of a value. Query values are text; body values have JSON types. */
export type Source = 'body' | 'query';

/** Checks a value that is neither an object nor an array. The server and the mock refuse with the same messages. */
export function checkValue(schema: JsonSchema, given: unknown, source: Source): Checked {
  // Parsers of queries return an array for a repeated parameter.
  if (source === 'query' && Array.isArray(given)) return MESSAGES.repeated;
  const types = typesOf(schema);
  if (given === null && types.includes('null')) return { value: null };
  if ('const' in schema) return checkChoice([schema.const], given);
  if (schema.enum) return checkChoice(schema.enum, given);
  if (types.includes('string')) return checkText(schema, given);
  if (types.includes('boolean')) return typeof given === 'boolean' ? { value: given } : MESSAGES.notBoolean;
  if (types.includes('integer') || types.includes('number')) {
    return source === 'query' ? checkDigits(schema, given) : checkNumber(schema, given);
  }
  if (types.length > 0) throw new Error(`no check for a value of type ${types.join(' or ')}`);
  return { value: given };
}

/** Returns the JSON types of a schema. */
export function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** Error messages about objects and arrays. */
export const STRUCTURE_MESSAGES = {
  required: 'is required',
  unknown: (name: string, known: readonly string[]) => `is not a known field${didYouMean(name, known)}`,
  notObject: 'must be of type object',
  notArray: 'must be an array',
  tooFewItems: (min: number | string) => `must contain at least ${min} items`,
  tooManyItems: (max: number | string) => `must contain less than or equal to ${max} items`,
  sameField: (names: readonly string[]) => `${names.join(' and ')} are the same field; give one of them`,
};

const MESSAGES = {
  notBoolean: { message: 'must be a boolean' },
  notString: { message: 'must be a string' },
  empty: { message: 'is not allowed to be empty' },
  repeated: { message: 'is given more than once' },
};

function checkChoice(values: readonly unknown[], given: unknown): Checked {
  if (values.includes(given)) return { value: given };
  const words = values.filter((value) => value !== null).map(String);
  const message = `must be one of ${words.join(', ')}`;
  const meant = typeof given === 'string' ? closestWord(given, words) : undefined;
  // First, because logs cut a long list.
  return { message: meant === undefined ? message : `is not a known value. Did you mean ${meant}? It ${message}` };
}

function checkText(schema: JsonSchema, given: unknown): Checked {
  const { 'x-format': formatName, minLength = 0, maxLength = Infinity, pattern } = schema;
  if (typeof given !== 'string') return MESSAGES.notString;
  const isRestricted = minLength > 0 || pattern !== undefined || formatName !== undefined;
  if (given === '' && isRestricted) return MESSAGES.empty;
  const format = formatName && FORMATS[formatName];
  if (!format?.includesLength && characters(given, maxLength) > maxLength) {
    return { message: `length must be less than or equal to ${maxLength} characters long` };
  }
  if (format) return format.read(given);
  if (pattern !== undefined && !regexOf(pattern).test(given)) {
    return { message: schema['x-message'] ?? 'does not have the required form' };
  }
  return { value: given };
}

/**
 * Returns the length in characters, as JSON Schema counts. If the UTF-16 length is within the limit, no count is
 * needed.
 */
function characters(text: string, max: number): number {
  return text.length <= max ? text.length : [...text].length;
}

const regexes = new Map<string, RegExp>();

/** Compiles each pattern once, because compiling costs more than all other checks of a value. */
function regexOf(pattern: string): RegExp {
  const regex = regexes.get(pattern) ?? new RegExp(pattern, 'u');
  regexes.set(pattern, regex);
  return regex;
}

function checkNumber({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema, given: unknown): Checked {
  if (typeof given !== 'number') return { message: 'must be a number' };
  if (!Number.isFinite(given)) return { message: 'cannot be infinity' };
  if (Math.abs(given) > Number.MAX_SAFE_INTEGER) return { message: 'must be a safe number' };
  if (type !== 'number' && !Number.isInteger(given)) return { message: 'must be an integer' };
  if (given < minimum) return { message: `must be greater than or equal to ${minimum}` };
  if (given > maximum) return { message: `must be less than or equal to ${maximum}` };
  return { value: given };
}

/** Checks a whole number in a query string. */
function checkDigits({ minimum = 0, maximum = Infinity }: JsonSchema, given: unknown): Checked {
  if (typeof given !== 'string') return MESSAGES.notString;
  if (given === '') return MESSAGES.empty;
  const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  return number >= minimum && number <= maximum
    ? { value: number }
    : { message: `must be a whole number from ${minimum} to ${maximum}` };
}
